package org.ulfmj.check.replace.invariant;

import java.util.ArrayList;
import java.util.List;
import org.ulfmj.check.replace.ReplaceEvents;
import org.ulfmj.check.replace.ReplaceWorld;
import org.ulfmj.check.replace.WorldLog;

/**
 * Two live processes, which run and are marked failed by no running process, are not in different worlds of one epoch.
 * If a process was suspected wrongly and one of the two entered its world as a newcomer, they may be for a while, but
 * at rest not both of them live.
 */
final class LiveRanksAreInOneWorld extends EntryPairs {
    private record Pair(WorldLog.Entry earlier, WorldLog.Entry later) {}

    private final ReplaceWorld world;
    private final List<Pair> apart = new ArrayList<>();

    LiveRanksAreInOneWorld(ReplaceWorld world) {
        super(world.worlds());
        this.world = world;
    }

    @Override
    String wrongWith(WorldLog.Entry earlier, WorldLog.Entry later) {
        if (!earlier.differsFrom(later) || !areLive(earlier, later)) {
            return null;
        }
        boolean mayBeSplit = world.worlds().wasAnySuspectedWrongly() && !(earlier.isSurvivor() && later.isSurvivor());
        if (!mayBeSplit) {
            return "they differ, and both live";
        }
        world.simulation().cover(ReplaceEvents.NEWCOMERS_SPLIT);
        apart.add(new Pair(earlier, later));
        return null;
    }

    @Override
    public String open() {
        apart.removeIf(pair -> !areLive(pair.earlier(), pair.later()));
        return apart.isEmpty()
                ? null
                : apart.get(0).earlier() + "; " + apart.get(0).later() + ": they differ, and both live on";
    }

    private boolean areLive(WorldLog.Entry earlier, WorldLog.Entry later) {
        return world.isLive(earlier.rank()) && world.isLive(later.rank());
    }
}
