package org.ulfmj.check.replace.invariant;

import org.ulfmj.check.replace.ReplaceRank;
import org.ulfmj.check.replace.ReplaceWorld;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.sim.Invariant;

/**
 * P11: at rest, a member that has ended is known to have failed, or after a goodbye to be gone, at all processes of its
 * world that run and are not leaving, even if it was already dead when it was admitted.
 */
record EndsInTheWorldAreKnown(ReplaceWorld world) implements Invariant {
    @Override
    public String open() {
        for (ReplaceRank member : world.watching()) {
            for (int slot : member.membership().slots().toArray()) {
                ProcessId other = member.membership().process(slot);
                if (!world.of(other).isRunning() && !isKnown(world.of(other), member)) {
                    return member + " does not know of the end of " + world.of(other);
                }
            }
        }
        return null;
    }

    private static boolean isKnown(ReplaceRank ended, ReplaceRank member) {
        return ended.hasLeft()
                ? member.failures().isGone(ended.id())
                : member.failures().hasFailed(ended.id());
    }
}
