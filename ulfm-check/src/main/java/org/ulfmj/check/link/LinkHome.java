package org.ulfmj.check.link;

import java.util.function.LongConsumer;
import org.ulfmj.sim.SimProcess;
import org.ulfmj.transport.session.LinkIdentity;

/** The process that link sessions live in, and its reactions to their events. */
interface LinkHome {
    SimProcess<?, ?> process();

    /**
     * A step of the process, which waits while the process is paused.
     *
     * @param step gets the time by the process's clock
     */
    void step(String verb, int other, LongConsumer step);

    /**
     * Called after each step.
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

    /** Nothing has reached the peer for the whole link budget. */
    void lost(LinkIdentity peer);

    /** A process that leaves has nothing left to do. */
    void hasLeft();
}
