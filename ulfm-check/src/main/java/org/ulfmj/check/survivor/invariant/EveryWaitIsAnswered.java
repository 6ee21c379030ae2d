package org.ulfmj.check.survivor.invariant;

import java.util.List;
import org.ulfmj.agree.message.ControlMessage;
import org.ulfmj.check.survivor.LiveRanks;
import org.ulfmj.check.survivor.SurvivorRank;
import org.ulfmj.check.survivor.Watch;
import org.ulfmj.detector.DetectorMessage;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.sim.SimProcess;
import org.ulfmj.sim.Violation;

/**
 * A live rank that waits for the decision of another live rank gets it. Either a message about agreements is on its way
 * between the two, or the other rank has the first rank's value or its question and will send it the decision. That is
 * not checked while the other rank never had the communicator, nor while one of the two holds the messages of the other
 * until a drain is over.
 *
 * <p>So such a hang shows long before the time limit of the schedule.
 */
final class EveryWaitIsAnswered implements Watch {
    private static final int NO_RANK = -1;

    /** A call in which a rank waits, and the slot whose decision it waits for there, as of the rank's last step. */
    private record Wait(long communicator, long sequence, int slot) {}

    private final List<SurvivorRank> ranks;
    private final LiveRanks live;
    private final int[][] onTheWay;
    private final Wait[] waits;
    private boolean isIdle;

    EveryWaitIsAnswered(List<SurvivorRank> ranks, LiveRanks live) {
        this.ranks = ranks;
        this.live = live;
        this.onTheWay = new int[ranks.size()][ranks.size()];
        this.waits = new Wait[ranks.size()];
    }

    @Override
    public void stepBegins(SurvivorRank rank, ProcessId from, ControlMessage message) {
        if (message instanceof ControlMessage.OfAgreement) {
            onTheWay[from.slot()][rank.id().slot()]--;
        }
        isIdle = message instanceof ControlMessage.Detector detector
                && detector.message() instanceof DetectorMessage.Heartbeat;
    }

    @Override
    public void sends(SurvivorRank rank, ProcessId to, ControlMessage message) {
        if (message instanceof ControlMessage.OfAgreement) {
            onTheWay[rank.id().slot()][to.slot()]++;
        }
    }

    @Override
    public void afterStep(SimProcess<?, ?> process) {
        if (isIdle) {
            return;
        }
        int stepped = process.node();
        waits[stepped] = null;
        SurvivorRank rank = ranks.get(stepped);
        if (rank.isRunning()) {
            long communicator = rank.openCommunicator();
            for (long sequence : rank.openCalls()) {
                int slot = rank.core().agreements().waitsForDecisionOf(communicator, sequence);
                if (slot != NO_RANK) {
                    requireAlive(rank, slot);
                    waits[stepped] = new Wait(communicator, sequence, slot);
                    check(stepped);
                }
            }
        }
        for (int waiting = 0; waiting < waits.length; waiting++) {
            if (waits[waiting] != null && waits[waiting].slot() == stepped) {
                check(waiting);
            }
        }
    }

    private void requireAlive(SurvivorRank rank, int slot) {
        if (rank.failures().hasFailed(rank.idOf(slot))) {
            throw new Violation(
                    name() + ": " + rank + " waits for the decision of " + slot + ", which it holds for failed");
        }
    }

    private void check(int waiting) {
        Wait wait = waits[waiting];
        int other = wait.slot();
        if (onTheWay[waiting][other] > 0 || onTheWay[other][waiting] > 0) {
            return;
        }
        int liveBits = live.bits();
        SurvivorRank owing = ranks.get(other);
        if ((liveBits & 1 << waiting) == 0 || (liveBits & 1 << other) == 0 || !owing.hasOrHad(wait.communicator())) {
            return;
        }
        SurvivorRank waiter = ranks.get(waiting);
        if (owing.core().holdsUntilDrained(waiter.id()) || waiter.core().holdsUntilDrained(owing.id())) {
            return;
        }
        if (!owing.core().agreements().owesDecision(wait.communicator(), wait.sequence(), waiting)) {
            throw new Violation(name() + ": " + waiter + " waits for the decision of " + owing + ", which owes"
                    + " it none: "
                    + owing.core().agreements().describe(wait.communicator(), wait.sequence()));
        }
    }
}
