package org.ulfmj.check.rendezvous.elected;

import java.util.Map;
import org.ulfmj.sim.Invariant;
import org.ulfmj.sim.Simulation;

/**
 * At rest, if a candidate lives and the job has begun or can begin, a live candidate has the office, and if the
 * launcher lives, the launcher has it; every process is connected to it.
 */
record NewcomersFindTheOffice(Simulation world, Offices offices, Map<Integer, Newcomer> newcomers)
        implements Invariant {
    @Override
    public String open() {
        if (!offices.isThere()) {
            return null;
        }
        Coordinator holder = offices.holder();
        if (holder == null) {
            return "no process has the office";
        }
        if (offices.isLauncherLeft() && !holder.isLauncher()) {
            return holder.process() + " has the office, and the launcher lives";
        }
        for (Newcomer one : newcomers.values()) {
            if (one.process().isRunning() && one.target() != holder.node()) {
                return one.process() + " has its line to " + one.target() + ", the office is at " + holder.process();
            }
        }
        return null;
    }

    @Override
    public void atEnd() {
        for (Newcomer one : newcomers.values()) {
            if (one.didRunUnderAnother()) {
                world.cover("ran under another coordinator");
            }
            if (one.isRunning() && one.didRunUnderAnother() && one.epoch() > 0) {
                world.cover("a world grew, and its coordinator changed");
            }
        }
    }
}
