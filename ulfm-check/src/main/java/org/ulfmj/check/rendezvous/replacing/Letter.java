package org.ulfmj.check.rendezvous.replacing;

import org.ulfmj.rendezvous.RendezvousMessage;

/**
 * What travels: between a process and the launcher a message on the connection-th connection of that process, lost with
 * it; between two processes a welcome.
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
