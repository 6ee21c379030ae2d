package org.ulfmj.runtime.host;

import java.util.ArrayList;
import java.util.List;
import org.ulfmj.runtime.collective.run.ScheduleRuns;
import org.ulfmj.runtime.error.ErrorClass;
import org.ulfmj.runtime.message.Descriptions;
import org.ulfmj.runtime.progress.Engine;
import org.ulfmj.runtime.progress.Progress;
import org.ulfmj.runtime.progress.Sleepers;
import org.ulfmj.runtime.transfer.CallErrors;
import org.ulfmj.runtime.transfer.MessageContext;
import org.ulfmj.runtime.waits.NamedWait;
import org.ulfmj.runtime.waits.WaitNotes;

/**
 * The memory that the members of one communicator share for blocking collectives, together with the error rules: how a
 * collective call in this memory takes its number, begins, waits and ends. {@link #close} ends the call, however it
 * went.
 */
final class HostCollective implements HostWaiting, NamedWait, Descriptions.Listener, AutoCloseable {
    /**
     * How often, at most, a wait looks at the flags before it looks at anything else. The number falls as long as such
     * looks are in vain, as they are for ranks that share a core.
     */
    private static final int MOST_LOOKS = 256;

    private static final int LEAST_LOOKS = 16;
    private static final int LOOKS_WHERE_CROWDED = 1;

    /** A power of two. */
    private static final int LOOKS_A_PAUSE = 16;

    /**
     * How many operations must find the segments too small before the members try to make larger ones. After each
     * attempt in vain it takes {@link #CRAMPED_FACTOR} times as many.
     */
    private static final int CRAMPED = 4;

    private static final long NEVER = Long.MAX_VALUE;

    private static final int CRAMPED_FACTOR = 8;

    private final Engine engine;
    private final Progress progress;
    private final CallErrors errors;
    private final HostSetup setup;
    private final HostGroup group;
    private final HostReduction reduction;
    private final HostGather gather;
    /** The number by which all members know this shared memory. */
    final long generation;

    /** How often the communicator's segments have grown. */
    int step;

    private long growAt = NEVER;

    private final int mostLooks;
    /** The number of missing ranks up to which a wait looks further before it yields; 0 if no wait does. */
    private final int lastAwaited;

    private int looks;

    private HostShare share;
    private MessageContext communicator;
    private String operation = "";
    /** The description of the operation that is under way; 0 for none. */
    private long description;

    /**
     * The first rank that has sent, by a message, a description that contradicts this rank's operation; -1 if there is
     * no such rank.
     */
    private int otherRank = -1;

    private long otherDescription;
    private boolean isInUse;
    private boolean isComplete;
    private String spoiltBy;

    HostCollective(HostSetup setup, HostGroup group, long generation, boolean crowded) {
        this.engine = setup.engine;
        this.progress = setup.progress;
        this.errors = setup.errors;
        this.setup = setup;
        this.group = group;
        this.reduction = new HostReduction(group);
        this.gather = new HostGather(group, setup.memory);
        this.generation = generation;
        this.mostLooks = crowded ? LOOKS_WHERE_CROWDED : MOST_LOOKS;
        this.looks = mostLooks;
        this.lastAwaited = crowded ? lastAwaited(group.size(), setup.cores) : 0;
        group.use(this);
    }

    /**
     * Returns how many ranks may be missing for further looks to be worthwhile before a yield: as many as may run on
     * the other cores. This holds where more than half of the cores have two ranks, of which one has run before the
     * other: then the last ones run now. Where fewer cores have two ranks, or cores have more than two, the missing
     * rank is as likely to wait for this rank's core, and the answer is 0.
     */
    private static int lastAwaited(int ranks, int cores) {
        return 2 * ranks > 3 * cores && ranks <= 2 * cores ? cores - 1 : 0;
    }

    HostGroup group() {
        return group;
    }

    /**
     * Sets after how many operations that find the segments too small the members try larger ones.
     *
     * @param bytes the length of larger segments; the length of the present ones if there are no larger ones
     */
    void mayGrow(int bytes) {
        growAt = bytes > group.segmentBytes() ? CRAMPED : NEVER;
    }

    /** Whether the members are to try larger segments before the next operation; the same answer at all members. */
    boolean wantsMore() {
        return group.cramped() >= growAt;
    }

    /**
     * Notes that the members could not have larger segments.
     *
     * @param isNever whether no later attempt is made; else the members try again later
     */
    void growLater(boolean isNever) {
        growAt = isNever ? NEVER : growAt * CRAMPED_FACTOR;
    }

    /**
     * Gives up the shared memory, because a member of the communicator failed or the communicator was revoked. If a
     * call is using the memory, it is given up when that call ends.
     */
    void onVerdict() {
        if (!isInUse) {
            setup.drop(share);
        }
    }

    HostReduction reduction() {
        return reduction;
    }

    HostGather gather() {
        return gather;
    }

    void belongTo(HostShare newShare) {
        share = newShare;
        communicator = newShare.communicator;
    }

    /**
     * Begins a call: it takes its number on the communicator in any case, and may then throw by the error rules.
     *
     * @param newDescription the description of the operation; 0 for none
     */
    void begin(String newOperation, long newDescription) {
        long number = communicator.beginCollective();
        ErrorClass verdict = ScheduleRuns.verdict(communicator);
        if (verdict != ErrorClass.SUCCESS) {
            throw errors.ofCollective(communicator, newOperation, verdict);
        }
        if (spoiltBy != null) {
            throw errors.mismatch(communicator, newOperation, "in an earlier call " + spoiltBy);
        }
        communicator.beginCall();
        operation = newOperation;
        isInUse = true;
        if (newDescription != 0) {
            describe(number, newDescription);
        }
    }

    private void describe(long number, long newDescription) {
        boolean isBegun = false;
        try {
            description = newDescription;
            group.describe(newDescription);
            communicator.descriptions().begin(number, this);
            requireNoContradiction();
            isBegun = true;
        } finally {
            if (!isBegun) {
                close();
            }
        }
    }

    /** Notes that the call has its normal result. Always returns true. */
    boolean complete() {
        isComplete = true;
        return true;
    }

    /**
     * Ends the call. Revokes the communicator if the call ended by an error of this rank alone. If another thread has
     * freed the communicator meanwhile, or a member failed, or the communicator was revoked, the communicator leaves
     * its shared memory now.
     */
    @Override
    public void close() {
        communicator.endCall();
        boolean isExplained =
                isComplete || spoiltBy != null || ScheduleRuns.verdict(communicator) != ErrorClass.SUCCESS;
        if (!isExplained) {
            // From now on this rank may count the steps of operations differently from the other ranks, so the memory
            // is not used any more.
            spoiltBy = "this rank left " + operation + " in the middle, by an error that it met there";
        }
        isInUse = false;
        isComplete = false;
        if (description != 0) {
            description = 0;
            group.describe(0);
            communicator.descriptions().end(this);
        }
        if (!isExplained) {
            setup.byMessages.leaveInTheMiddle(communicator);
        }
        if (communicator.isFreed() || ScheduleRuns.verdict(communicator) != ErrorClass.SUCCESS) {
            setup.freed(share);
        }
    }

    @Override
    public void onDescription(int rank, long theirs) {
        if (theirs != description) {
            onStray(rank, theirs);
        }
    }

    @Override
    public void onStray(int rank, long theirs) {
        if (otherRank < 0) {
            otherRank = rank;
            otherDescription = theirs;
        }
    }

    /** Whether a thread of this rank is inside an operation in this memory. */
    boolean isInUse() {
        return isInUse;
    }

    /**
     * Returns the mismatch of calls, or the error inside a call, after which this shared memory is not used any more:
     * ranks may count the steps of operations differently since. Null if there was none.
     */
    String spoiltBy() {
        return spoiltBy;
    }

    @Override
    public void await(boolean isHurried) {
        int pauses = isHurried ? LOOKS_A_PAUSE - 1 : 0;
        for (int i = 0; i < looks; i++) {
            if (group.isThere()) {
                looks = Math.min(mostLooks, looks + looks / 8 + 1);
                return;
            }
            if ((i & pauses) == pauses) {
                Thread.onSpinWait();
            }
        }
        looks = Math.min(mostLooks, Math.max(LEAST_LOOKS, looks / 2));
        engine.ringNow();
        group.waitPatiently(true);
        try {
            progress.await(this);
        } finally {
            group.waitPatiently(false);
        }
        requireNoFault();
    }

    @Override
    public void ringSoon(Sleepers sleepers) {
        engine.ringOnLeave(sleepers);
    }

    /**
     * Whether the wait is over. Looks for a failure before it looks at the flags: what a rank that is marked failed
     * stores from now on must not count.
     */
    @Override
    public boolean isDone() {
        if (otherRank >= 0) {
            return true;
        }
        return ScheduleRuns.verdict(communicator) != ErrorClass.SUCCESS || group.isThere();
    }

    @Override
    public boolean isSeenWithoutPolling() {
        return true;
    }

    @Override
    public boolean isDoneSoon() {
        return lastAwaited > 0 && group.isThereSoon(lastAwaited) && isDone();
    }

    @Override
    public void letGo() {
        engine.leave();
        boolean goesOn = false;
        try {
            progress.onCall(operation);
            goesOn = true;
        } finally {
            if (!goesOn) {
                engine.lock().lock();
            }
        }
    }

    @Override
    public void takeBack() {
        engine.lock().lock();
        engine.checkRunning();
        requireNoFault();
    }

    @Override
    public RuntimeException mismatch(String what) {
        spoiltBy = what;
        return errors.mismatch(communicator, operation, what);
    }

    @Override
    public RuntimeException contradicted(int rank, long itsDescription) {
        spoiltBy = "rank " + rank + " was in an operation of another description";
        return errors.described(communicator, operation, rank, itsDescription, description);
    }

    /** Throws if a member has sent another description by a message. */
    private void requireNoContradiction() {
        if (otherRank >= 0) {
            throw contradicted(otherRank, otherDescription);
        }
    }

    private void requireNoFault() {
        ErrorClass verdict = ScheduleRuns.verdict(communicator);
        if (verdict != ErrorClass.SUCCESS) {
            throw errors.ofCollective(communicator, operation, verdict);
        }
        requireNoContradiction();
    }

    @Override
    public void explain(WaitNotes notes) {
        List<Integer> missing = new ArrayList<>();
        for (int rank = 0; rank < group.size(); rank++) {
            if (group.isMissing(rank)) {
                missing.add(rank);
            }
        }
        // The operation has its number already.
        notes.collective(communicator, operation, communicator.collectiveSequence() - 1, missing);
    }

    @Override
    public String toString() {
        return operation + " on " + communicator + ", operation " + (communicator.collectiveSequence() - 1) + " there";
    }
}
