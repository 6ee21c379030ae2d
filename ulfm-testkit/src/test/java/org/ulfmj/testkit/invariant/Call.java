package org.ulfmj.testkit.invariant;

import java.util.Set;
import mpi.Intracomm;

/** A call that the program makes. */
final class Call {
    /** What the call may depend on. */
    enum Kind {
        /** On one peer. */
        NAMED,
        /** On the peer that sends first. */
        WILDCARD,
        /** On all members. */
        COLLECTIVE,
        /** On operations that were started before. */
        COMPLETING
    }

    final int slot;
    final String name;
    final Kind kind;
    final Intracomm comm;
    /** The peer's rank in COMM_WORLD; −1 if the call depends on several ranks, or on none. */
    final int peer;

    final double startSeconds;
    /**
     * The slots of those members that the caller knew to have failed when it began the call. The field
     * {@code acknowledged} is how many failures it had acknowledged by then.
     */
    final Set<Integer> knownFailed;

    final int acknowledged;
    double endSeconds = Double.NaN;

    Call(
            int slot,
            String name,
            Kind kind,
            Intracomm comm,
            int peer,
            double startSeconds,
            Set<Integer> knownFailed,
            int acknowledged) {
        this.slot = slot;
        this.name = name;
        this.kind = kind;
        this.comm = comm;
        this.peer = peer;
        this.startSeconds = startSeconds;
        this.knownFailed = knownFailed;
        this.acknowledged = acknowledged;
    }

    boolean isOpen() {
        return Double.isNaN(endSeconds);
    }

    @Override
    public String toString() {
        return name + " of rank " + slot + (peer < 0 ? "" : " with rank " + peer);
    }
}
