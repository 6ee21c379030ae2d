package org.ulfmj.check.replace.invariant;

import org.ulfmj.check.replace.ReplaceRank;
import org.ulfmj.check.replace.ReplaceWorld;
import org.ulfmj.check.replace.WorldLog;

/**
 * A replace that makes a new world takes at most as many agreements as it may have rounds, and two more for the first
 * offer and the confirm. If no process has ended or was suspected wrongly, it takes at most two. If in the program a
 * process makes a call of the recovery mode while others replace, each replace may take up to twice as many, or one
 * more if no process has ended or was suspected wrongly.
 */
final class AReplaceIsCheap extends EntryCheck {
    private final ReplaceWorld world;

    AReplaceIsCheap(ReplaceWorld world) {
        super(world.worlds());
        this.world = world;
    }

    @Override
    String wrongWith(WorldLog.Entry entry) {
        long took = entry.agreements();
        if (!entry.isSurvivor()) {
            return null;
        }
        boolean noneEnded =
                !world.worlds().wasAnySuspectedWrongly() && world.all().stream().allMatch(ReplaceRank::isRunning);
        boolean beginsAnew = world.program().beginsAnew();
        long most = noneEnded
                ? 2 + (beginsAnew ? 1 : 0)
                : (beginsAnew ? 2 : 1) * (world.terms().rounds() + 2L);
        return took <= most ? null : "it took " + took + " agreements, and " + most + " are enough";
    }
}
