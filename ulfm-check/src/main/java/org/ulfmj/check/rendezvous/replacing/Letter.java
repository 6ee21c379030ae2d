package org.ulfmj.check.rendezvous.replacing;

import org.ulfmj.rendezvous.message.RendezvousMessage;

/**
 * A message between a process and the launcher, with the number of the process's connection on which it was sent; or a
 * welcome between two processes.
 */
record Letter(int connection, RendezvousMessage message, Welcome welcome) {
    static Letter of(int connection, RendezvousMessage message) {
        return new Letter(connection, message, null);
    }

    static Letter of(Welcome welcome) {
        return new Letter(0, null, welcome);
    }

    @Override
    public String toString() {
        return welcome == null ? connection + ": " + message : welcome.toString();
    }
}
