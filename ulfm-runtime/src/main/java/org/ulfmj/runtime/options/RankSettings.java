package org.ulfmj.runtime.options;

import java.util.List;
import org.ulfmj.agree.change.ReplaceTerms;
import org.ulfmj.protocol.Timing;

/**
 * The settings of one rank: what the options say, whether its host is crowded, and the planned faults.
 *
 * @param timing of detector and links
 * @param faultTolerance false: a failure ends the job, agree is an allreduce, shrink a dup ({@code --with-ft none})
 * @param eagerLimitBytes longer messages go by handshake ({@code ulfm.eager.limit})
 * @param eagerCreditBytes how many bytes the eager messages that a rank has sent to one peer, and that the peer has not
 *     received, may cost there: the rank's share of the credit ({@code ulfm.eager.credit})
 * @param politeWait waits go from spinning to sleeping without yielding ({@code ulfm.wait=polite})
 * @param crowded whether this host has more ranks than cores: spins are kept short
 * @param needsMajority whether an agreement of all members needs more than half of the processes that the last
 *     agreement left ({@code ulfm.ft.quorum=majority})
 * @param hostCollectivesAfter how many collective operations on a communicator go by messages before its members, if
 *     they all are on one host, share memory for those that follow; {@link #NEVER} if all go by messages
 *     ({@code ulfm.collectives=messages})
 * @param replaceTerms how long replace waits for new processes, and what it does if they do not come
 *     ({@code ulfm.replace.*})
 * @param recorded whether waits, failures, revokes and agreements are events of a flight recording ({@code ulfm.jfr})
 * @param verbosity what this rank tells on stderr: 1 for failures, 2 for steps of recovery too
 *     ({@code ulfm.ft.verbose})
 * @param triggers points at which planned faults hit this rank, for tests of recovery
 */
public record RankSettings(
        Timing timing,
        boolean faultTolerance,
        int eagerLimitBytes,
        long eagerCreditBytes,
        boolean politeWait,
        boolean crowded,
        boolean needsMajority,
        int hostCollectivesAfter,
        ReplaceTerms replaceTerms,
        boolean recorded,
        int verbosity,
        List<FaultTrigger> triggers) {
    public static final int DEFAULT_EAGER_LIMIT_BYTES = 64 * 1024;
    public static final long DEFAULT_EAGER_CREDIT_BYTES = 4L << 20;
    /**
     * The default number of collective operations on a communicator that go by messages before shared memory is tried.
     * A communicator with no more than these does not pay for shared memory.
     */
    public static final int DEFAULT_HOST_COLLECTIVES_AFTER = 8;

    /** The default of the longest time that replace waits for new processes. */
    public static final long DEFAULT_REPLACE_TIMEOUT_NS = 60_000_000_000L;
    /** The default for the most rounds of a replacement. */
    public static final int DEFAULT_REPLACE_ROUNDS = 16;

    public static final int NEVER = Integer.MAX_VALUE;

    public RankSettings {
        if (eagerLimitBytes < 0 || eagerLimitBytes > DEFAULT_EAGER_LIMIT_BYTES) {
            throw new IllegalArgumentException("ulfm.eager.limit (" + eagerLimitBytes + " bytes) must be from 0 to "
                    + DEFAULT_EAGER_LIMIT_BYTES + " bytes");
        }
        if (eagerCreditBytes < eagerLimitBytes) {
            throw new IllegalArgumentException("ulfm.eager.credit (" + eagerCreditBytes
                    + " bytes) must not be below ulfm.eager.limit (" + eagerLimitBytes + " bytes)");
        }
        triggers = List.copyOf(triggers);
    }

    /** Makes settings in which everything but the times has its default. */
    public static RankSettings of(Timing timing) {
        return new RankSettings(
                timing,
                true,
                DEFAULT_EAGER_LIMIT_BYTES,
                DEFAULT_EAGER_CREDIT_BYTES,
                false,
                false,
                false,
                DEFAULT_HOST_COLLECTIVES_AFTER,
                new ReplaceTerms(true, DEFAULT_REPLACE_ROUNDS, DEFAULT_REPLACE_TIMEOUT_NS),
                false,
                0,
                List.of());
    }

    public RankSettings withTiming(Timing other) {
        Draft draft = new Draft(this);
        draft.timing = other;
        return draft.settings();
    }

    public RankSettings withFaultTolerance(boolean on) {
        Draft draft = new Draft(this);
        draft.faultTolerance = on;
        return draft.settings();
    }

    public RankSettings withEager(int limitBytes, long creditBytes) {
        Draft draft = new Draft(this);
        draft.eagerLimitBytes = limitBytes;
        draft.eagerCreditBytes = creditBytes;
        return draft.settings();
    }

    public RankSettings withWait(boolean polite, boolean crowdedHost) {
        Draft draft = new Draft(this);
        draft.politeWait = polite;
        draft.crowded = crowdedHost;
        return draft.settings();
    }

    public RankSettings withMajority(boolean needed) {
        Draft draft = new Draft(this);
        draft.needsMajority = needed;
        return draft.settings();
    }

    public RankSettings withHostCollectivesAfter(int operations) {
        Draft draft = new Draft(this);
        draft.hostCollectivesAfter = operations;
        return draft.settings();
    }

    public RankSettings withReplace(ReplaceTerms terms) {
        Draft draft = new Draft(this);
        draft.replaceTerms = terms;
        return draft.settings();
    }

    public RankSettings withTriggers(List<FaultTrigger> newTriggers) {
        Draft draft = new Draft(this);
        draft.triggers = newTriggers;
        return draft.settings();
    }

    /** Settings that are being changed. */
    private static final class Draft {
        private Timing timing;
        private boolean faultTolerance;
        private int eagerLimitBytes;
        private long eagerCreditBytes;
        private boolean politeWait;
        private boolean crowded;
        private boolean needsMajority;
        private int hostCollectivesAfter;
        private ReplaceTerms replaceTerms;
        private final boolean recorded;
        private final int verbosity;
        private List<FaultTrigger> triggers;

        Draft(RankSettings from) {
            this.timing = from.timing;
            this.faultTolerance = from.faultTolerance;
            this.eagerLimitBytes = from.eagerLimitBytes;
            this.eagerCreditBytes = from.eagerCreditBytes;
            this.politeWait = from.politeWait;
            this.crowded = from.crowded;
            this.needsMajority = from.needsMajority;
            this.hostCollectivesAfter = from.hostCollectivesAfter;
            this.replaceTerms = from.replaceTerms;
            this.recorded = from.recorded;
            this.verbosity = from.verbosity;
            this.triggers = from.triggers;
        }

        RankSettings settings() {
            return new RankSettings(
                    timing,
                    faultTolerance,
                    eagerLimitBytes,
                    eagerCreditBytes,
                    politeWait,
                    crowded,
                    needsMajority,
                    hostCollectivesAfter,
                    replaceTerms,
                    recorded,
                    verbosity,
                    triggers);
        }
    }
}
