package org.ulfmj.check.replace;

import java.util.ArrayList;
import java.util.List;
import org.ulfmj.protocol.Membership;
import org.ulfmj.protocol.SlotRuns;
import org.ulfmj.protocol.SlotSet;

/** The decisions of calls besides the programs, in one schedule. For invariants only. */
public final class SideDecisions {
    /** One call returned; {@code counted} are the slots that took part in its decision. */
    public record Return(
            ReplaceRank rank,
            Membership membership,
            long communicator,
            long sequence,
            SlotRuns members,
            SlotSet counted) {}

    private final List<Return> returns = new ArrayList<>();

    public void add(Return one) {
        returns.add(one);
    }

    /** Returns all logged returns in the order in which they happened; the list only grows. */
    public List<Return> returns() {
        return returns;
    }
}
