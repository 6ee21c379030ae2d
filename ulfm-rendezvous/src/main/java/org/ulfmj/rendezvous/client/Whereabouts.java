package org.ulfmj.rendezvous.client;

import java.net.InetSocketAddress;

/**
 * Where the coordinator of a job is that may change: a process that lost its line to the coordinator asks at each dial,
 * and one that has a line asks from time to time. Any thread; the call does not wait.
 */
public interface Whereabouts {
    /** The last known address of the coordinator; null while none is known. */
    InetSocketAddress now();

    /**
     * Whether the job is known to be over: its last coordinator has deleted what is kept of it, and may have ended
     * before it could tell all others. Any thread; never waits.
     */
    default boolean isOver() {
        return false;
    }
}
