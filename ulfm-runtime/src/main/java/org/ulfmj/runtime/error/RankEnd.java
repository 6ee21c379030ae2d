package org.ulfmj.runtime.error;

import org.ulfmj.protocol.ProcessId;

/** How a rank came to its end, other than by Finalize, and the error that its calls raise from then on. Any thread. */
public final class RankEnd {
    private final ProcessId me;
    /** The error by which the rank was killed, where ranks are threads; else null. */
    private volatile Error death;
    /** Why the rank is fenced; else null. */
    private volatile String fencedBecause;
    /** Why the rank has left the others; null while it has not. */
    private volatile String leftBecause;
    /** Why the rank, a newcomer, is over without ever having been a member of the world; else null. */
    private volatile String outBecause;
    /** The error inside the library that ended the rank; else null. */
    private volatile Throwable brokenBy;

    public RankEnd(ProcessId me) {
        this.me = me;
    }

    public void died(Error by) {
        death = by;
    }

    public void fenced(String why) {
        fencedBecause = why;
    }

    public void left(String why) {
        leftBecause = why;
    }

    public void out(String why) {
        outBecause = why;
    }

    public void broken(Throwable by) {
        brokenBy = by;
    }

    /** Throws the error that a call of the rank raises, since the rank is over. */
    public void raise() {
        if (death != null) {
            throw death;
        }
        if (fencedBecause != null) {
            throw new CallError(
                    ErrorClass.PROC_ABORTED,
                    "process " + me + " is fenced: " + fencedBecause + ". It takes part in nothing any more");
        }
        if (leftBecause != null) {
            throw new CallError(
                    ErrorClass.PROC_ABORTED,
                    "process " + me + " has left: " + leftBecause + ". It takes part in nothing any more");
        }
        if (outBecause != null) {
            throw new CallError(ErrorClass.PROC_ABORTED, "process " + me + " is no member of the world: " + outBecause);
        }
        if (brokenBy != null) {
            throw new IllegalStateException("process " + me + " is broken", brokenBy);
        }
        throw new CallError(ErrorClass.OTHER, "MPI is finalized at process " + me);
    }
}
