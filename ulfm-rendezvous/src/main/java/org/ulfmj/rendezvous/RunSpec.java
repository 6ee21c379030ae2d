package org.ulfmj.rendezvous;

/**
 * The job that a rendezvous serves.
 *
 * @param runId its name; a process of another job is refused
 * @param size slots of its static world
 * @param optionsHash of the options that all its processes must share
 * @param joinTimeoutNs how long a rank waits for the others ({@code ulfm.rdzv.join})
 * @param confirmTimeoutNs how long members may take to confirm a table ({@code ulfm.rdzv.confirm})
 * @param restarts whether the launcher starts processes again: it then says of every slot whose process has ended
 *     either that the next incarnation may come or that no process will
 * @param silenceNs after which a silent process is judged ({@code ulfm.fd.timeout}); 0 if none is, because the job does
 *     not survive failures
 */
public record RunSpec(
        String runId,
        int size,
        long optionsHash,
        long joinTimeoutNs,
        long confirmTimeoutNs,
        boolean restarts,
        long silenceNs) {
    /** More ranks than this have no place in one table. */
    public static final int MAX_SIZE = 4096;

    public RunSpec {
        if (size < 1 || size > MAX_SIZE) {
            throw new IllegalArgumentException("a job of " + size + " ranks; 1 to " + MAX_SIZE + " are possible");
        }
        if (confirmTimeoutNs <= 0 || joinTimeoutNs <= confirmTimeoutNs) {
            throw new IllegalArgumentException("ulfm.rdzv.confirm (" + confirmTimeoutNs
                    + " ns) must be positive and below ulfm.rdzv.join (" + joinTimeoutNs + " ns)");
        }
        if (silenceNs < 0) {
            throw new IllegalArgumentException("a silence of " + silenceNs + " ns");
        }
    }

    /** A job in which no process judges a silence. */
    public RunSpec(
            String runId, int size, long optionsHash, long joinTimeoutNs, long confirmTimeoutNs, boolean restarts) {
        this(runId, size, optionsHash, joinTimeoutNs, confirmTimeoutNs, restarts, 0);
    }

    /** The same, whose processes are started once. */
    public RunSpec(String runId, int size, long optionsHash, long joinTimeoutNs, long confirmTimeoutNs) {
        this(runId, size, optionsHash, joinTimeoutNs, confirmTimeoutNs, false);
    }
}
