package org.ulfmj.check.rendezvous.elected;

import java.util.List;
import org.ulfmj.rendezvous.message.OutReason;
import org.ulfmj.sim.Invariant;
import org.ulfmj.sim.SimProcess;
import org.ulfmj.sim.Violation;

/**
 * Invariants: a process that runs is in its own table, and all processes that run are in the same round with the same
 * table. At the end, no process was sent away because the launcher has not started it, and none that never stood still
 * because it has not confirmed in time.
 */
record AllThatRunAreInOneRound(List<Member> members) implements Invariant {
    @Override
    public void afterStep(SimProcess<?, ?> process) {
        Member stepped = null;
        for (Member member : members) {
            if (member.process() == process) {
                stepped = member;
            }
        }
        if (stepped == null || !stepped.isRunning()) {
            return;
        }
        int node = stepped.node();
        if (stepped.table().stream().noneMatch(member -> member.nonce() == node)) {
            throw new Violation(process + " runs in a world without itself: " + stepped.table());
        }
        for (Member other : members) {
            boolean isElsewhere =
                    other.round() != stepped.round() || !other.table().equals(stepped.table());
            if (other.isRunning() && isElsewhere) {
                throw new Violation(process + " runs in round " + stepped.round() + " with " + stepped.table() + ", "
                        + other.process() + " in round " + other.round() + " with " + other.table());
            }
        }
    }

    @Override
    public void atEnd() {
        for (Member member : members) {
            boolean isStranger = member.whyNot() != null && member.whyNot().contains("has not started it");
            if (isStranger) {
                throw new Violation(
                        "what is started was reserved: " + member.process() + " was told " + member.whyNot());
            }
            boolean isLate = member.whyNot() != null && member.whyNot().startsWith(OutReason.NO_CONFIRM.name());
            if (isLate && !member.hasStoodStill()) {
                throw new Violation("the healthy are kept: " + member.process() + " was told " + member.whyNot());
            }
        }
    }
}
