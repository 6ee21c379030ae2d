package org.ulfmj.agree;

import org.ulfmj.agree.message.Decision;
import org.ulfmj.protocol.SlotRuns;
import org.ulfmj.protocol.SlotSet;

/**
 * The processes of which an agreement needs a majority, with {@code ulfm.ft.quorum=majority}: that of the processes of
 * the membership epoch which no agreement has listed as failed so far. Where several are cut off from the others, at
 * most one side has it.
 *
 * <p>Asked for only on communicators of all these processes: COMM_WORLD, its duplicates, what shrink makes of them, and
 * only as long as their epoch is in force here ({@link Agreements#mayDecide}). On a smaller one a death could leave
 * half of it although nearly every process lives, and so it is on one of a world whose members were replaced since. So
 * agreements on the former alone move the electorate, and only those of blocking calls, as with the base of the trees:
 * they come in the same order everywhere. Others (iShrink) only say whom a communicator may lack that is still one of
 * all.
 */
final class Electorate {
    private final boolean needsMajority;
    private final SlotRuns everybody;
    private SlotSet excluded = SlotSet.EMPTY;
    /** As {@link #excluded}, and what non-blocking calls listed. */
    private SlotSet listed = SlotSet.EMPTY;

    /** @param everybody slots of the membership epoch */
    Electorate(boolean needsMajority, SlotRuns everybody) {
        this.needsMajority = needsMajority;
        this.everybody = everybody;
    }

    /**
     * What an agreement that begins now needs; {@code base} is what earlier ones of the same communicator have listed.
     */
    Quorum quorumOf(SlotRuns members, SlotSet base) {
        return needsMajority && spans(members) ? new Quorum(members, excluded.union(base)) : Quorum.NONE;
    }

    /** An agreement is decided here, before the caller's next. */
    void onDecided(SlotRuns members, Decision decision) {
        if (!needsMajority || !decision.isOfOneKind() || !spans(members)) {
            return;
        }
        listed = listed.union(decision.failed());
        if (decision.kinds().firstKey().isBlocking()) {
            excluded = excluded.union(decision.failed());
        }
    }

    /** Whether no process is missing among the members but those that were agreed on. */
    private boolean spans(SlotRuns members) {
        int missing = everybody.size() - members.size();
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
