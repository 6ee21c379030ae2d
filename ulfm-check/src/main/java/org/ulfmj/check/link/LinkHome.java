package org.ulfmj.check.link;

import java.util.function.LongConsumer;
import org.ulfmj.sim.SimProcess;
import org.ulfmj.transport.session.LinkIdentity;

/** The process that a set of link sessions belongs to, with what it does about their events. */
interface LinkHome {
    SimProcess<?, ?> process();

    /**
     * Runs a step of the process; while the process is paused, the step waits.
     *
     * @param step gets the time by the process's clock
     */
    void step(String verb, int other, LongConsumer step);

    /**
     * Sets the timer of the process. Called after each step.
     *
     * @param deadlineNs when the timer is due, by the process's clock; {@link Long#MAX_VALUE} for never
     */
    void timerAt(long deadlineNs);

    /** Takes a frame of a peer, which the session delivers. */
    void takes(LinkIdentity from, long number);

    /** The peer has said goodbye. */
    void departed(LinkIdentity peer);

    /** Called when a peer says that it has marked this process failed. */
    void excluded(LinkIdentity by);

    /** The session with the peer has reported the peer lost, which it may take back later. */
    void lost(LinkIdentity peer);

    /** Called after each step if the process is leaving, and none of its sessions has anything left to do. */
    void hasLeft();
}
