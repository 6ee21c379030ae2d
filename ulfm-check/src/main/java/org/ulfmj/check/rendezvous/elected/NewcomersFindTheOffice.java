package org.ulfmj.check.rendezvous.elected;

import java.util.Map;
import org.ulfmj.sim.Invariant;
import org.ulfmj.sim.Simulation;

/**
 * At rest, if the launcher lives, it has the office; if only other candidates live and a state of the job is stored,
 * one of these has it. In both cases every live process is connected to the candidate that has the office.
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
