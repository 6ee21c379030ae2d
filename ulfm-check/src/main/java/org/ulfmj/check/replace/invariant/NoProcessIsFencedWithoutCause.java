package org.ulfmj.check.replace.invariant;

import org.ulfmj.check.replace.ReplaceRank;
import org.ulfmj.check.replace.ReplaceWorld;
import org.ulfmj.protocol.Membership;
import org.ulfmj.sim.Invariant;
import org.ulfmj.sim.SimProcess;
import org.ulfmj.sim.Violation;

/**
 * As long as no process was suspected wrongly, no process is fenced. Where a majority is needed, a process that is in a
 * world may be fenced if, the process itself counted, no more than half of the members of its present world run or have
 * left by Finalize; members of earlier worlds do not count.
 */
record NoProcessIsFencedWithoutCause(ReplaceWorld world) implements Invariant {
    @Override
    public void afterStep(SimProcess<?, ?> process) {
        if (process.end() != SimProcess.End.FENCED || world.worlds().wasAnySuspectedWrongly()) {
            return;
        }
        ReplaceRank rank = world.of(world.network().addressOf(process.node()));
        boolean mayLackOne = world.needsMajority() && !rank.isPending();
        if (!mayLackOne || isMajorityThere(rank.core().membership(), rank)) {
            throw new Violation(name() + ": " + process + ", and no process was suspected wrongly");
        }
    }

    /**
     * Whether more than half of the members of a world run, have left it by Finalize, or are the fenced process. The
     * shipped rule asks for less: members that earlier agreements have listed as failed do not count there.
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
