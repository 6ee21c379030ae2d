package org.ulfmj.check.replace.invariant;

import org.ulfmj.check.replace.Launcher;
import org.ulfmj.sim.Invariant;

/**
 * After all members of the world have ended, the launcher's roll call ends: the launcher finds a process that was
 * admitted and still runs, gathers a new world, gives up, or dies.
 */
record TheRollCallEnds(Launcher launcher) implements Invariant {
    @Override
    public String open() {
        return launcher.callsTheRoll() ? "the launcher does not know which processes are the world now" : null;
    }
}
