package org.ulfmj.runtime.error;

/**
 * The error of a call of {@code replace} that has changed nothing, because a failed member got no new process, or the
 * addresses of the processes do not fit into one message. Every member gets it.
 */
public final class NotReplaced extends CallError {
    private static final long serialVersionUID = 1L;

    private final boolean mayStillCome;

    public NotReplaced(int[] failedRanks, boolean mayStillCome, String message) {
        super(ErrorClass.SPAWN, failedRanks, 0, message);
        this.mayStillCome = mayStillCome;
    }

    /**
     * Whether the call has ended only because the time or the number of offers ran out. If so, the launcher has not
     * said of any missing place that it starts no process there any more, and such a process may be on its way.
     */
    public boolean mayStillCome() {
        return mayStillCome;
    }
}
