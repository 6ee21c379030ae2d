package org.ulfmj.rendezvous.client;

import java.net.InetSocketAddress;

/**
 * Tells where the coordinator of a job is, which may change. A process without a connection to the coordinator asks at
 * each dial, and a process with one asks from time to time. Any thread; the call does not wait.
 */
public interface Whereabouts {
    /** The last known address of the coordinator; null while none is known. */
    InetSocketAddress now();

    /**
     * Whether the job is known to have ended: its last coordinator has deleted what was kept of it, and may have ended
     * before it could tell all others. Any thread; never waits.
     */
    default boolean isOver() {
        return false;
    }
}
