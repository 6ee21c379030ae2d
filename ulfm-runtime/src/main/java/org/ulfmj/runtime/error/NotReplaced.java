package org.ulfmj.runtime.error;

/** {@code replace} has ended without a process for each member that failed; the same at all members. */
public final class NotReplaced extends CallError {
    private static final long serialVersionUID = 1L;

    private final boolean mayStillCome;

    public NotReplaced(int[] failedRanks, boolean mayStillCome, String message) {
        super(ErrorClass.SPAWN, failedRanks, 0, message);
        this.mayStillCome = mayStillCome;
    }

    /**
     * Whether only the time-out ended the call. Then the launcher has said of no missing place that it starts no
     * process there any more, and a process may be on its way.
     */
    public boolean mayStillCome() {
        return mayStillCome;
    }
}
