package org.ulfmj.rendezvous;

import org.ulfmj.rendezvous.rounds.WorldSize;

/**
 * The job that a rendezvous serves.
 *
 * @param runId the name of the job; a process of another job is refused
 * @param size the number of slots of a static world; the greatest number of members of an elastic one, whose slot
 *     numbers grow beyond it as members are replaced
 * @param optionsHash hash of the options that all processes of the job must share
 * @param joinTimeoutNs how long a rank waits for the others ({@code ulfm.rdzv.join})
 * @param confirmTimeoutNs how long members may take to confirm a table ({@code ulfm.rdzv.confirm})
 * @param restarts whether the launcher starts processes again: it then says of every slot whose process has ended
 *     either that the next incarnation may come or that no process will
 * @param silenceNs how long a process may be silent before it is judged ({@code ulfm.fd.timeout}); 0 in a job that does
 *     not survive failures, where no process is judged
 * @param leaseNs how long a process may run without an answer of the coordinator ({@code ulfm.rdzv.lease}); 0 for any
 *     time, as on one host or with {@code ulfm.ft.quorum=majority}
 * @param needsMajority whether the job goes on only with more than half of the members, even without the launcher
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
    /** The largest number of ranks: their table fits into one message. */
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
        if (elastic != null && elastic.max() != size) {
            throw new IllegalArgumentException("a job of " + size + " ranks with a world of at most " + elastic.max());
        }
    }

    /** A job with a static world: each process is started once, no silence is judged, and there are no leases. */
    public RunSpec(String runId, int size, long optionsHash, long joinTimeoutNs, long confirmTimeoutNs) {
        this(runId, size, optionsHash, joinTimeoutNs, confirmTimeoutNs, false, 0, 0, false, null);
    }

    /**
     * A job with an elastic world, whose processes join without a slot. Each process is started once, no silence is
     * judged, and there are no leases.
     */
    public RunSpec(String runId, WorldSize elastic, long optionsHash, long joinTimeoutNs, long confirmTimeoutNs) {
        this(runId, elastic.max(), optionsHash, joinTimeoutNs, confirmTimeoutNs, false, 0, 0, false, elastic);
    }

    /** Returns this job with a launcher that starts processes again. */
    public RunSpec withRestarts() {
        return withRestarts(true);
    }

    public RunSpec withRestarts(boolean isRestarting) {
        return with(isRestarting, silenceNs, leaseNs, needsMajority);
    }

    /** Returns this job with judged silences: a process that is silent for longer than this is judged; 0 for none. */
    public RunSpec withSilence(long longestNs) {
        return with(restarts, longestNs, leaseNs, needsMajority);
    }

    /** Returns this job with leases of this length, as on several hosts; 0 for none. */
    public RunSpec withLease(long lengthNs) {
        return with(restarts, silenceNs, lengthNs, needsMajority);
    }

    /** Returns this job with or without the rule that only more than half of the members go on. */
    public RunSpec withMajority(boolean isNeeded) {
        return with(restarts, silenceNs, leaseNs, isNeeded);
    }

    private RunSpec with(boolean isRestarting, long longestNs, long lengthNs, boolean isNeeded) {
        return new RunSpec(
                runId,
                size,
                optionsHash,
                joinTimeoutNs,
                confirmTimeoutNs,
                isRestarting,
                longestNs,
                lengthNs,
                isNeeded,
                elastic);
    }

    public boolean isElastic() {
        return elastic != null;
    }
}
