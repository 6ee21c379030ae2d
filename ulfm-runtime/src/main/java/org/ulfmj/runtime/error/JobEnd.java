package org.ulfmj.runtime.error;

/** The reason why no rank of a job can go on, once a rank has found that out. Any thread. */
public final class JobEnd {
    /** How many causes of an exception, one behind the other, are looked at: they may form a circle. */
    private static final int MOST_CAUSES = 100;

    /** Null while the job may go on. */
    private volatile Throwable reason;

    public JobEnd() {}

    /**
     * Says that no rank can go on, for this reason, which all ranks have been told or meet by themselves. A rank that
     * ends by this error ends the job; a rank whose program catches it may still finalize.
     */
    public void announce(Throwable newReason) {
        reason = newReason;
    }

    /** Takes back what {@link #announce} said, if it gave this reason: the rank has gone on all the same. */
    public void takeBack(Throwable announced) {
        if (reason == announced) {
            reason = null;
        }
    }

    /** Whether {@link #announce} was called, and not taken back. */
    public boolean isAnnounced() {
        return reason != null;
    }

    /** Whether the throwable is the announced reason, or was caused by it. */
    public boolean isCauseOf(Throwable thrown) {
        Throwable announced = reason;
        Throwable each = thrown;
        for (int depth = 0; announced != null && each != null && depth < MOST_CAUSES; depth++) {
            if (each == announced) {
                return true;
            }
            each = each.getCause();
        }
        return false;
    }
}
