package org.ulfmj.agree.consensus;

import org.ulfmj.protocol.SlotRuns;
import org.ulfmj.protocol.SlotSet;

/** How many processes must be left for a root to decide. Fixed when the rank enters the agreement, as the base is. */
final class Quorum {
    /** No majority is needed: a root decides however many processes are left. */
    static final Quorum NONE = new Quorum(SlotRuns.range(1), SlotSet.EMPTY);

    private final SlotRuns members;
    private final SlotSet excluded;
    private final int electors;

    /** @param excluded slots, members or not, that earlier agreements have listed as failed, or of arriving joiners */
    Quorum(SlotRuns members, SlotSet excluded) {
        this.members = members;
        this.excluded = excluded;
        this.electors = left(excluded);
    }

    /** Whether more than half of the electors are left without these failed processes. */
    boolean isMetWithout(SlotSet failed) {
        return this == NONE || 2 * left(excluded.union(failed)) > electors;
    }

    /** The error text for a quorum that is not met without these failed processes. */
    String shortOf(SlotSet failed) {
        return "of the " + electors + " processes that the last agreement left " + left(excluded.union(failed))
                + " are left on this side, and ulfm.ft.quorum=majority lets only more than half of them go on";
    }

    private int left(SlotSet without) {
        int left = members.size();
        for (int slot : without.toArray()) {
            if (members.contains(slot)) {
                left--;
            }
        }
        return left;
    }
}
