package org.ulfmj.check.survivor.shrink;

import java.util.List;
import org.ulfmj.check.survivor.Journal;
import org.ulfmj.check.survivor.LiveRanks;
import org.ulfmj.check.survivor.SurvivorRank;

/** All live ranks that return from one call of shrink get the same members, in the same order, under the same id. */
final class SurvivorsShareTheShrunkWorld extends ShrunkCheck {
    private final LiveRanks live;

    SurvivorsShareTheShrunkWorld(List<SurvivorRank> ranks, Journal journal, LiveRanks live) {
        super(ranks, journal);
        this.live = live;
    }

    @Override
    String wrongWith(Journal.Shrunk shrunk) {
        int now = live.bits();
        for (Journal.Shrunk other : journal().shrunk()) {
            boolean bothLive = (now & 1 << shrunk.slot()) != 0 && (now & 1 << other.slot()) != 0;
            boolean areAlike = other.id() == shrunk.id() && other.members().equals(shrunk.members());
            if (other.agreement() == shrunk.agreement() && bothLive && !areAlike) {
                return "live " + other.slot() + " has " + other.members() + " with id " + Long.toHexString(other.id());
            }
        }
        return null;
    }
}
