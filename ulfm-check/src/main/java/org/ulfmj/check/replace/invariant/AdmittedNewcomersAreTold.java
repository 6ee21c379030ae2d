package org.ulfmj.check.replace.invariant;

import org.ulfmj.check.replace.ReplaceRank;
import org.ulfmj.check.replace.ReplaceWorld;
import org.ulfmj.sim.Invariant;

/**
 * P5, P6: at rest, a running newcomer that the world of a running member lists, and that this member has not marked
 * failed, was told of a world.
 */
record AdmittedNewcomersAreTold(ReplaceWorld world) implements Invariant {
    @Override
    public String open() {
        for (ReplaceRank newcomer : world.all()) {
            if (!newcomer.isRunning() || !newcomer.isPending()) {
                continue;
            }
            for (ReplaceRank member : world.members()) {
                if (member.membership().contains(newcomer.id())
                        && !member.failures().hasFailed(newcomer.id())) {
                    return newcomer + " is in the world of " + member + " and was told of none";
                }
            }
        }
        return null;
    }
}
