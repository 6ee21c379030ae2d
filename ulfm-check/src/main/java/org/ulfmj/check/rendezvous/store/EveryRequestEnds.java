package org.ulfmj.check.rendezvous.store;

import java.util.List;
import org.ulfmj.sim.Invariant;

/**
 * At rest every request of a process that lives is answered, or has ended with an unknown outcome. A process that the
 * launcher takes for ended has ended.
 */
final class EveryRequestEnds implements Invariant {
    private final LauncherHost launcher;
    private final List<Caller> callers;

    EveryRequestEnds(LauncherHost launcher, List<Caller> callers) {
        this.launcher = launcher;
        this.callers = callers;
    }

    @Override
    public String open() {
        for (Caller caller : callers) {
            if (caller.hasEnded()) {
                continue;
            }
            for (Asked one : caller.asked()) {
                if (!one.reply().isDone()) {
                    return one + " has no end";
                }
            }
            if (launcher.holdsForEnded(caller)) {
                return caller + " is held for ended, and lives on";
            }
        }
        return null;
    }
}
