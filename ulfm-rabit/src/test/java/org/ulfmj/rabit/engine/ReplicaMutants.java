package org.ulfmj.rabit.engine;

import java.util.List;
import org.ulfmj.sim.mutant.Mutant;

/** Rules of the recovery mode, each with a mutant that leaves it out. */
final class ReplicaMutants {
    private static final String PACKAGE = "org.ulfmj.rabit.engine.";
    private static final String REPLICA = PACKAGE + "Replica";
    private static final String CACHE = PACKAGE + "BootstrapCache";
    private static final String PLANNER = PACKAGE + "Planner";

    /**
     * A mutant that only a long search from the first seed on finds: a keeper must lack a result that a broadcast
     * wrongly let the others drop.
     */
    private static final Mutant ONLY_WAITING = Mutant.of(
            "RELEASE: only operations that waited for all let go", REPLICA, "if (waitedForAll) {", "if (true) {");

    private ReplicaMutants() {}

    /** Where to begin the search. */
    static long firstSeed(Mutant mutant) {
        return mutant == ONLY_WAITING ? 13_000 : 0;
    }

    static List<Mutant> all() {
        return List.of(
                Mutant.of(
                        "RELEASE: the operation that waited for all is itself kept",
                        REPLICA,
                        "horizon = sequence; // RELEASE",
                        "horizon = sequence + 1;"),
                ONLY_WAITING,
                Mutant.of(
                        "RELEASE: what was fetched is kept",
                        REPLICA,
                        "log.put(number, Entry.fetched(parcel.shape(), parcel.bytes()));",
                        "log.put(number, new Entry(parcel.shape(), parcel.bytes(), false));"),
                Mutant.of(
                        "RELEASE: keepers keep",
                        PACKAGE + "Keepers",
                        "return sequence % classes == own;",
                        "return false;"),
                Mutant.of(
                        "B2: a mixed decision commits nothing",
                        PACKAGE + "CommitNote",
                        "if (!isCommitOnly) {",
                        "if (false) {"),
                Mutant.of(
                        "B2: the old checkpoint goes when the commit has returned",
                        PACKAGE + "Checkpoints",
                        "stagedGlobal = next;",
                        "stagedGlobal = next; global = null;"),
                Mutant.of(
                        "B2: the log goes when the commit has returned",
                        REPLICA,
                        "checkpoints.stage(global);",
                        "checkpoints.stage(global); log.clear();"),
                Mutant.of(
                                "B3: a rank is where its record ends, not where its program is",
                                REPLICA,
                                "log.heldFrom(reached.sequence())",
                                "reached.sequence()")
                        .and("log.dropFrom(to.sequence());", ";"),
                Mutant.of(
                        "B3: live laggards get bootstrap results too",
                        PLANNER,
                        "index < known; index++",
                        "index < (record.fresh() ? known : 0); index++"),
                Mutant.of(
                        "B3: live laggards get results too",
                        PLANNER,
                        "s < end; s++",
                        "s < (record.fresh() ? end : 0); s++"),
                Mutant.of(
                        "B3: who goes back drops the log",
                        REPLICA,
                        "log.clear();\n        logVersion = to.version();\n        horizon = 0;\n        if (!reached",
                        "logVersion = to.version();\n        horizon = 0;\n        if (!reached"),
                Mutant.of(
                        "B3: who goes back leaves the call that it is in",
                        REPLICA,
                        "boolean isPastIt = phase == Position.VERSIONS;",
                        "boolean isPastIt = false;"),
                Mutant.of(
                        "B1: a key has occurrences",
                        CACHE,
                        "return place.id() + \"#\" + occurrence;",
                        "return place.id();"),
                Mutant.of(
                        "B1: occurrences are counted anew in each run from the top",
                        CACHE,
                        "occurrences.clear();",
                        ""));
    }
}
