package org.ulfmj.check.link;

import java.util.function.LongConsumer;
import org.ulfmj.sim.SimProcess;
import org.ulfmj.transport.session.LinkIdentity;

/** The process that link sessions live in, and what it makes of what they tell. */
interface LinkHome {
    SimProcess<?, ?> process();

    /**
     * A step of the process, which waits while the process is paused.
     *
     * @param step gets the time by the process's own clock
     */
    void step(String verb, int other, LongConsumer step);

    /** After each step: the timer is due at this time by the process's own clock, {@link Long#MAX_VALUE} for never. */
    void timerAt(long deadlineNs);

    /** A frame of a peer was delivered. */
    void takes(LinkIdentity from, long number);

    /** The peer has said goodbye. */
    void departed(LinkIdentity peer);

    /** The peer has marked this process failed, and says so. */
    void excluded(LinkIdentity by);

    /** A session is broken and will not be mended by this side. */
    void broken(LinkIdentity peer);

    /** Nothing is left to be done by a process that leaves. */
    void hasLeft();
}
