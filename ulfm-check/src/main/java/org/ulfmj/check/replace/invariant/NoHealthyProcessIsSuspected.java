package org.ulfmj.check.replace.invariant;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.ulfmj.check.replace.Launcher;
import org.ulfmj.check.replace.ReplaceRank;
import org.ulfmj.check.replace.ReplaceWorld;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.sim.Invariant;
import org.ulfmj.sim.SimProcess;
import org.ulfmj.sim.Violation;

/**
 * B3, over replaces: no running process is marked failed as long as the launcher lives, however far apart in time
 * members enter a world. Required where no process is silent for long and no suspicion is planned.
 */
final class NoHealthyProcessIsSuspected implements Invariant {
    private final ReplaceWorld world;
    private final Launcher launcher;
    private final Map<Integer, Integer> seen = new TreeMap<>();

    NoHealthyProcessIsSuspected(ReplaceWorld world, Launcher launcher) {
        this.world = world;
        this.launcher = launcher;
    }

    @Override
    public void afterStep(SimProcess<?, ?> process) {
        int node = process.node();
        ReplaceRank rank = world.of(world.network().addressOf(node));
        List<ProcessId> failed = rank.failures().failedInOrder();
        for (int at = seen.getOrDefault(node, 0); at < failed.size(); at++) {
            ReplaceRank marked = world.of(failed.get(at));
            if (marked != null && marked.isRunning() && !launcher.isDead()) {
                throw new Violation(name() + ": " + rank + " holds running process " + marked + " for failed");
            }
            seen.put(node, at + 1);
        }
    }
}
