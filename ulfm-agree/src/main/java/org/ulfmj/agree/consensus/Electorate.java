package org.ulfmj.agree.consensus;

import org.ulfmj.agree.message.Decision;
import org.ulfmj.protocol.SlotRuns;
import org.ulfmj.protocol.SlotSet;

/**
 * The processes of which an agreement needs a majority, with {@code ulfm.ft.quorum=majority}: the processes of the
 * membership epoch that no agreement has listed as failed so far. If the network splits them, at most one side has a
 * majority.
 *
 * <p>Joiners that grow() has let in do not count until the first blocking agreement of their world is decided. They may
 * be dead on arrival, and more than the members that let them in, none of which would then have a majority.
 *
 * <p>A majority is needed only on communicators of all these processes: COMM_WORLD, its duplicates, and what shrink
 * makes of them; and only as long as their epoch is in force here ({@link Agreements#mayDecide}). In a smaller
 * communicator one death could leave half of the members although nearly every process lives. The same holds in a world
 * whose members were replaced since. So only agreements on communicators of all these processes change the electorate,
 * and only those of blocking calls, which come in the same order at every rank, as with the base of the trees.
 * Decisions of non-blocking calls (iShrink) only say which processes may be missing in a communicator that still counts
 * as one of all.
 */
public final class Electorate {
    private final boolean needsMajority;
    private final SlotRuns all;
    /**
     * The slots of joiners that do not count yet for a majority; empty once a blocking agreement of the new world is
     * decided.
     */
    private SlotSet arriving;

    private SlotSet excluded = SlotSet.EMPTY;
    /** {@link #excluded}, and the slots that non-blocking calls listed as failed. */
    private SlotSet listed = SlotSet.EMPTY;

    /**
     * @param all the slots of the membership epoch
     * @param arriving the slots that it got beside those of the epoch before
     */
    public Electorate(boolean needsMajority, SlotRuns all, SlotSet arriving) {
        this.needsMajority = needsMajority;
        this.all = all;
        this.arriving = arriving;
    }

    /**
     * The quorum for an agreement that begins now; {@link Quorum#NONE} if it needs no majority. {@code base} has the
     * slots that earlier blocking agreements of the same communicator listed as failed.
     */
    Quorum quorumOf(SlotRuns members, SlotSet base) {
        return needsMajority && spans(members)
                ? new Quorum(members, excluded.union(arriving).union(base))
                : Quorum.NONE;
    }

    /** Takes a decision that was made here. Called before the program makes its next call. */
    void onDecided(SlotRuns members, Decision decision) {
        if (!needsMajority || !decision.isOfOneKind() || !spans(members)) {
            return;
        }
        listed = listed.union(decision.failed());
        if (decision.kinds().firstKey().isBlocking()) {
            excluded = excluded.union(decision.failed());
            arriving = SlotSet.EMPTY;
        }
    }

    /** Whether the members are all processes of the epoch, apart from processes that agreements listed as failed. */
    private boolean spans(SlotRuns members) {
        int missing = all.size() - members.size();
        for (int slot : listed.toArray()) {
            if (!members.contains(slot)) {
                missing--;
            }
        }
        return missing == 0;
    }

    @Override
    public String toString() {
        return needsMajority ? " electorate without " + excluded + " listed " + listed : "";
    }
}
