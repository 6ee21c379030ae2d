package org.ulfmj.check.replace.invariant;

import org.ulfmj.check.replace.Launcher;
import org.ulfmj.sim.Invariant;

/**
 * Once all members have ended, the launcher finds a process that was admitted and runs, gathers a new world, or gives
 * up.
 */
record TheRollCallEnds(Launcher launcher) implements Invariant {
    @Override
    public String open() {
        return launcher.callsTheRoll() ? "the launcher does not know which processes are the world now" : null;
    }
}
