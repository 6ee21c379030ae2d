package org.ulfmj.check.survivor;

import java.util.List;
import org.ulfmj.protocol.ProcessId;

/**
 * The live ranks, which are bound by the promises at this moment: ranks that run, that no running rank has marked
 * failed, and that no decision of a running rank lists as failed. A rank that runs and is not live may differ from the
 * others until it has fenced itself.
 *
 * <p>Sets of ranks are bits here, because the set is needed after every return from a call.
 */
public final class LiveRanks {
    private final List<SurvivorRank> ranks;
    private final Journal journal;

    /**
     * Per rank, the processes that it has marked failed, as bits. {@link #seenMarks} counts the marks that are in these
     * bits.
     */
    private final int[] failed;

    private final int[] seenMarks;

    /** Per rank, the processes that its decisions list as failed, as bits. */
    private final int[] listed;

    private int seenReturns;

    public LiveRanks(List<SurvivorRank> ranks, Journal journal) {
        this.ranks = ranks;
        this.journal = journal;
        this.failed = new int[ranks.size()];
        this.seenMarks = new int[ranks.size()];
        this.listed = new int[ranks.size()];
    }

    /** Returns the bits of all ranks that run now, live or not. */
    public int running() {
        int running = 0;
        for (int slot = 0; slot < failed.length; slot++) {
            running |= ranks.get(slot).isRunning() ? 1 << slot : 0;
        }
        return running;
    }

    /** Returns the bits of all ranks that are live now. */
    public int bits() {
        while (seenReturns < journal.returns().size()) {
            Journal.Return returned = journal.returns().get(seenReturns++);
            for (int slot : returned.decision().failed().toArray()) {
                listed[returned.slot()] |= 1 << slot;
            }
        }
        int running = 0;
        int excluded = 0;
        for (int slot = 0; slot < failed.length; slot++) {
            SurvivorRank rank = ranks.get(slot);
            if (rank.isRunning()) {
                running |= 1 << slot;
                excluded |= failedAt(slot, rank) | listed[slot];
            }
        }
        return running & ~excluded;
    }

    public boolean contains(int slot) {
        return (bits() & 1 << slot) != 0;
    }

    private int failedAt(int slot, SurvivorRank rank) {
        List<ProcessId> marks = rank.failures().failedInOrder();
        while (seenMarks[slot] < marks.size()) {
            failed[slot] |= 1 << marks.get(seenMarks[slot]++).slot();
        }
        return failed[slot];
    }
}
