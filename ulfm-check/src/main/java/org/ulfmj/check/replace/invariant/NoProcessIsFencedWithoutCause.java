package org.ulfmj.check.replace.invariant;

import org.ulfmj.check.replace.ReplaceRank;
import org.ulfmj.check.replace.ReplaceWorld;
import org.ulfmj.protocol.Membership;
import org.ulfmj.sim.Invariant;
import org.ulfmj.sim.SimProcess;
import org.ulfmj.sim.Violation;

/**
 * Where no process is suspected, no process has marked itself failed: so no decision comes to one that has not called,
 * and no newcomer is told of two worlds. Where a majority is asked for a process may end for want of one: of those that
 * are in the world with it now, no matter what became of members of earlier worlds.
 */
record NoProcessIsFencedWithoutCause(ReplaceWorld world) implements Invariant {
    @Override
    public void afterStep(SimProcess<?, ?> process) {
        if (process.end() != SimProcess.End.FENCED || world.worlds().wasAnybodySuspectedWrongly()) {
            return;
        }
        ReplaceRank rank = world.of(world.network().addressOf(process.node()));
        boolean mayLackOne = world.needsMajority() && !rank.isPending();
        if (!mayLackOne || isMajorityThere(rank.core().membership(), rank)) {
            throw new Violation(name() + ": " + process + ", and nobody was suspected wrongly");
        }
    }

    /**
     * Whether more than half of a world run, or have left it by Finalize; those that failed count fewer to the shipped
     * rule.
     */
    private boolean isMajorityThere(Membership members, ReplaceRank fenced) {
        int there = 0;
        for (int slot : members.slots().toArray()) {
            ReplaceRank member = world.of(members.process(slot));
            there += member == fenced || member.isRunning() || member.hasLeft() ? 1 : 0;
        }
        return 2 * there > members.slots().size();
    }
}
