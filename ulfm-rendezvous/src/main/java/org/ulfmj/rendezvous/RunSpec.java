package org.ulfmj.rendezvous;

import org.ulfmj.rendezvous.rounds.WorldSize;

/**
 * The job that a rendezvous serves.
 *
 * @param runId its name; a process of another job is refused
 * @param size slots of its static world; the most members of an elastic one, whose slot numbers grow beyond it as
 *     members are replaced
 * @param optionsHash of the options that all processes of the job must share
 * @param joinTimeoutNs how long a rank waits for the others ({@code ulfm.rdzv.join})
 * @param confirmTimeoutNs how long members may take to confirm a table ({@code ulfm.rdzv.confirm})
 * @param restarts whether the launcher starts processes again: it then says of every slot whose process has ended
 *     either that the next incarnation may come or that no process will
 * @param silenceNs how long a process may be silent before it is judged ({@code ulfm.fd.timeout}); 0 in a job that does
 *     not survive failures, where no process is judged
 * @param leaseNs how long a process may run without an answer of the coordinator ({@code ulfm.rdzv.lease}); 0 if it may
 *     for ever: on one host, and with {@code ulfm.ft.quorum=majority}
 * @param needsMajority whether only more than half of the members go on, be it without the launcher
 *     ({@code ulfm.ft.quorum=majority} on several hosts)
 * @param elastic least and greatest size of a world whose processes join without a slot; null if the world is static
 */
public record RunSpec(
        String runId,
        int size,
        long optionsHash,
        long joinTimeoutNs,
        long confirmTimeoutNs,
        boolean restarts,
        long silenceNs,
        long leaseNs,
        boolean needsMajority,
        WorldSize elastic) {
    /** The largest number of ranks, so that their table fits into one message. */
    public static final int MAX_SIZE = 4096;

    public RunSpec {
        if (size < 1 || size > MAX_SIZE) {
            throw new IllegalArgumentException("a job of " + size + " ranks; 1 to " + MAX_SIZE + " are possible");
        }
        if (confirmTimeoutNs <= 0 || joinTimeoutNs <= confirmTimeoutNs) {
            throw new IllegalArgumentException("ulfm.rdzv.confirm (" + confirmTimeoutNs
                    + " ns) must be positive and below ulfm.rdzv.join (" + joinTimeoutNs + " ns)");
        }
        if (leaseNs != 0 && leaseNs <= silenceNs) {
            throw new IllegalArgumentException(
                    "ulfm.fd.timeout (" + silenceNs + " ns) must be below ulfm.rdzv.lease (" + leaseNs + " ns)");
        }
        if (silenceNs < 0) {
            throw new IllegalArgumentException("a silence of " + silenceNs + " ns");
        }
        if (elastic != null && leaseNs != 0) {
            throw new IllegalArgumentException("a world whose processes join without a slot has no leases: hosts and"
                    + " leases are known by names, which change there");
        }
        if (elastic != null && elastic.max() != size) {
            throw new IllegalArgumentException("a job of " + size + " ranks with a world of at most " + elastic.max());
        }
    }

    /** A job of which no majority is needed. */
    public RunSpec(
            String runId,
            int size,
            long optionsHash,
            long joinTimeoutNs,
            long confirmTimeoutNs,
            boolean restarts,
            long silenceNs,
            long leaseNs,
            WorldSize elastic) {
        this(runId, size, optionsHash, joinTimeoutNs, confirmTimeoutNs, restarts, silenceNs, leaseNs, false, elastic);
    }

    /** A job with a static world, without leases. */
    public RunSpec(
            String runId,
            int size,
            long optionsHash,
            long joinTimeoutNs,
            long confirmTimeoutNs,
            boolean restarts,
            long silenceNs) {
        this(runId, size, optionsHash, joinTimeoutNs, confirmTimeoutNs, restarts, silenceNs, 0);
    }

    /** A job with a static world on several hosts. */
    public RunSpec(
            String runId,
            int size,
            long optionsHash,
            long joinTimeoutNs,
            long confirmTimeoutNs,
            boolean restarts,
            long silenceNs,
            long leaseNs) {
        this(runId, size, optionsHash, joinTimeoutNs, confirmTimeoutNs, restarts, silenceNs, leaseNs, false, null);
    }

    /** A job whose processes join without a slot. No silence is judged. */
    public RunSpec(String runId, WorldSize elastic, long optionsHash, long joinTimeoutNs, long confirmTimeoutNs) {
        this(runId, elastic.max(), optionsHash, joinTimeoutNs, confirmTimeoutNs, false, 0, 0, false, elastic);
    }

    boolean isElastic() {
        return elastic != null;
    }

    /** A job in which no silence is judged. */
    public RunSpec(
            String runId, int size, long optionsHash, long joinTimeoutNs, long confirmTimeoutNs, boolean restarts) {
        this(runId, size, optionsHash, joinTimeoutNs, confirmTimeoutNs, restarts, 0);
    }

    /** A job in which no process judges a silence, and each process is started once. */
    public RunSpec(String runId, int size, long optionsHash, long joinTimeoutNs, long confirmTimeoutNs) {
        this(runId, size, optionsHash, joinTimeoutNs, confirmTimeoutNs, false);
    }
}
