package org.ulfmj.check.mutant;

import static org.ulfmj.check.mutant.Trial.world;
import static org.ulfmj.sim.mutant.Mutant.without;

import java.util.List;
import org.ulfmj.sim.mutant.Mutant;

/** Mutants of housekeeping, by which ranks forget freed communicators: each is without one of its rules. */
public final class HousekeepingMutants {
    private static final String HOUSEKEEPING = "org.ulfmj.agree.Housekeeping";
    private static final String COMMUNICATORS = "org.ulfmj.agree.Communicators";

    private static final Mutant SLOW_HAS_FREED = without(
                    "housekeeping: not made yet", "a member that has not made a communicator yet keeps it")
            .in(
                    COMMUNICATORS,
                    "known.isIdle() : freed.containsKey(communicator) || forgotten.contains(communicator);",
                    "known.isIdle() : true;");

    private static final Mutant FORGOTTEN_WHEN_FREED = without(
                    "housekeeping: forgets at its own free", "what a rank has freed it keeps until all have freed it")
            .in(COMMUNICATORS, "if (agreements.members().size() == 1) {", "if (true) {");

    private static final Mutant TOMBSTONE = without(
                    "housekeeping: tombstone", "what comes late for a forgotten communicator is dropped")
            .in(COMMUNICATORS, "forgotten.add(ids, rank.nowNs());", "// tombstone");

    private static final Mutant OWN_SEQUENCE = without(
                    "housekeeping: one sequence for two initiators",
                    "each initiator has a sequence of agreements of its own")
            .in(
                    HOUSEKEEPING,
                    "Initiator initiator = initiator(list.initiator(), out);",
                    "Initiator initiator = initiator(0, out);");

    private static final Mutant LEAVER = without(
                    "housekeeping: forgets while it leaves", "a rank that has decided Finalize takes no part")
            .in(
                    HOUSEKEEPING,
                    "public void decided(long number, Decision decision) {\n            if (rank.departure().isLeaving()) {",
                    "public void decided(long number, Decision decision) {\n            if (false) {");

    private HousekeepingMutants() {}

    static List<Trial> trials() {
        return List.of(
                world(SLOW_HAS_FREED, "housekeeping", "has not freed it"),
                world(FORGOTTEN_WHEN_FREED, "housekeeping", "has not freed it"),
                world(TOMBSTONE, "housekeeping", "came back"),
                world(OWN_SEQUENCE, "housekeeping-two", "has not freed it"),
                world(LEAVER, "housekeeping-finalize", "has not freed it"));
    }
}
