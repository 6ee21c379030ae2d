package org.ulfmj.runtime;

import java.util.ArrayList;
import java.util.List;
import org.ulfmj.runtime.host.HostGather;
import org.ulfmj.runtime.host.HostGroup;
import org.ulfmj.runtime.host.HostReduction;
import org.ulfmj.runtime.host.HostWaiting;

/** The memory that the members of one communicator share, as the engine sees it: a wait in it ends by the error rules too. */
final class HostCollective implements HostWaiting, NamedWait, Descriptions.Listener {
    /**
     * Looks at the flags before anything else is looked at: up to a microsecond, and less as long as that is in vain, as it is
     * for ranks that share a core.
     */
    private static final int MOST_LOOKS = 256;

    private static final int LEAST_LOOKS = 16;
    private static final int LOOKS_WHERE_CROWDED = 1;

    private static final int LOOKS_A_PAUSE = 16;

    private final RankEngine engine;
    private final HostGroup group;
    private final HostReduction reduction;
    private final HostGather gather;
    /** By which all members know it. */
    final long generation;

    private final int mostLooks;
    private int looks;

    private CommunicatorState communicator;
    private String operation = "";
    /** What the program says of the operation; 0 for nothing. */
    private long description;

    /** Who says another thing of it by a message, and so goes by messages itself; -1 is nobody. */
    private int otherRank = -1;

    private long otherDescription;
    private boolean isInUse;
    private boolean isComplete;
    /** Why it is of no use any more, or null. */
    private String spoiltBy;

    HostCollective(RankEngine engine, HostGroup group, long generation, boolean crowded) {
        this.engine = engine;
        this.group = group;
        this.reduction = new HostReduction(group);
        this.gather = new HostGather(group, engine.fabric().hostMemory());
        this.generation = generation;
        this.mostLooks = crowded ? LOOKS_WHERE_CROWDED : MOST_LOOKS;
        this.looks = mostLooks;
        group.use(this);
    }

    HostGroup group() {
        return group;
    }

    HostReduction reduction() {
        return reduction;
    }

    HostGather gather() {
        return gather;
    }

    void belongTo(CommunicatorState newCommunicator) {
        communicator = newCommunicator;
    }

    void begin(String newOperation) {
        operation = newOperation;
        isInUse = true;
    }

    /** @param number of the operation on its communicator */
    void beginDescribed(String newOperation, long number, long newDescription) {
        begin(newOperation);
        description = newDescription;
        group.describe(newDescription);
        communicator.descriptions().begin(number, this);
    }

    /** The operation has its normal result. */
    void complete() {
        isComplete = true;
    }

    boolean isComplete() {
        return isComplete;
    }

    void end() {
        isInUse = false;
        isComplete = false;
        if (description != 0) {
            description = 0;
            group.describe(0);
            communicator.descriptions().end(this);
        }
    }

    long description() {
        return description;
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

    /** A thread of this rank is inside an operation. */
    boolean isInUse() {
        return isInUse;
    }

    String operation() {
        return operation;
    }

    void spoil(String why) {
        spoiltBy = why;
    }

    String spoiltBy() {
        return spoiltBy;
    }

    @Override
    public void await() {
        for (int i = 0; i < looks; i++) {
            if (group.isThere()) {
                looks = Math.min(mostLooks, looks + looks / 8 + 1);
                return;
            }
            if (i % LOOKS_A_PAUSE == LOOKS_A_PAUSE - 1) {
                Thread.onSpinWait();
            }
        }
        looks = Math.min(mostLooks, Math.max(LEAST_LOOKS, looks / 2));
        group.waitPatiently(true);
        try {
            engine.progress().await(this);
        } finally {
            group.waitPatiently(false);
        }
        requireNoFault();
    }

    /** A failure first: what one that is held for failed stores from now on must not count. */
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
    public void letGo() {
        engine.leave();
        boolean goesOn = false;
        try {
            engine.progress().onCall(operation);
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

    /** What the program is to be told if a member says another thing of the operation by a message, or null. */
    Fault contradiction() {
        if (otherRank < 0) {
            return null;
        }
        spoil("rank " + otherRank + " was in an operation of another description");
        return engine.faults().described(communicator, operation, otherRank, otherDescription, description);
    }

    private void requireNoFault() {
        ErrorClass verdict = ScheduleRuns.verdict(communicator);
        if (verdict != ErrorClass.SUCCESS) {
            throw engine.faults().ofCollective(communicator, operation, verdict);
        }
        Fault contradiction = contradiction();
        if (contradiction != null) {
            throw contradiction;
        }
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
        notes.collective(communicator, operation, communicator.collectiveSequence - 1, missing);
    }

    @Override
    public String toString() {
        return operation + " on " + communicator + ", operation " + (communicator.collectiveSequence - 1) + " there";
    }
}
