package org.ulfmj.check.rendezvous.elastic;

import org.ulfmj.rendezvous.message.RendezvousMessage;

/**
 * A message between a process and the launcher, with the number of the process's connection on which it was sent; or a
 * welcome, by which a member tells a process that it is admitted.
 */
record Note(int connection, RendezvousMessage message, Admission welcome) {
    @Override
    public String toString() {
        return welcome == null ? connection + ": " + message : welcome.toString();
    }
}
