package org.ulfmj.check.mutant;

import static org.ulfmj.check.mutant.Trial.seeds;
import static org.ulfmj.sim.mutant.Mutant.without;

import java.util.List;
import org.ulfmj.sim.mutant.Mutant;

/** Mutants of the judge of silences on a host whose launcher is dead (rule J1), each without one of its parts. */
public final class OrphanMutants {
    private static final String JUDGE = "org.ulfmj.detector.OrphanJudge";
    private static final String LOCK = "hasLock = host.tryLock();";

    private static final Mutant MARKED_AT_ONCE = without("J1 marknow", "no process is marked on a silence alone")
            .in(JUDGE, LOCK, "host.mark(firstOverdue(nowNs));");

    private static final Mutant ONCE = without("J1 once", "the silence lasts for another timeout")
            .in(JUDGE, "silent.putIfAbsent(process, nowNs + timeoutNs)", "silent.putIfAbsent(process, nowNs)");

    private static final Mutant NO_LOCK =
            without("J1 nolock", "one rank at a time ends another").in(JUDGE, LOCK, "hasLock = true;");

    private static final Mutant LOCK_STUCK = without(
                    "J1 lockstuck", "a holder that is stopped is ended without the lock")
            .in(JUDGE, "host.isStoppedHolder(each.getKey())", "false");

    private static final Mutant LAUNCHER_GONE = without("J1 cgone", "a launcher that is stopped is not dead")
            .in(JUDGE, "host.launcher() != Launcher.DEAD", "host.launcher() == Launcher.THERE");

    private OrphanMutants() {}

    static List<Trial> trials() {
        return List.of(
                seeds(MARKED_AT_ONCE, "orphans", 500, "was healthy and ended"),
                seeds(ONCE, "orphans", 500, "was healthy and ended"),
                seeds(NO_LOCK, "orphans", 500, "was healthy and ended"),
                seeds(LOCK_STUCK, "orphans", 500, "is stopped, and no rank ended it"),
                seeds(LAUNCHER_GONE, "orphans", 500, "the launcher that judges too lives"));
    }
}
