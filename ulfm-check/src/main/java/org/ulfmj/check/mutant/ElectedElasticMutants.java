package org.ulfmj.check.mutant;

import static org.ulfmj.sim.mutant.Mutant.without;

import java.util.List;
import org.ulfmj.sim.mutant.Mutant;

/** Mutants of the elected coordinator of a world that grows, each without one of its rules. */
final class ElectedElasticMutants {
    private static final String CORE = "org.ulfmj.rendezvous.RendezvousCore";
    private static final String RETURNS = "org.ulfmj.rendezvous.Returns";
    private static final String SEAT = "org.ulfmj.rendezvous.Seat";
    private static final String WORLD = "org.ulfmj.rendezvous.RunningWorld";

    private static final Mutant CANDIDATES_RETURN = without(
                    "elected elastic, V8", "a process that waits has time to find a new coordinator, too")
            .in(
                    RETURNS,
                    "for (Seat seat : roster.all()) {\n            if (seat.isHere()) {",
                    "for (Seat seat : roster.all()) {\n            if (roster.holds(seat)) {");

    private static final Mutant NAMES = without(
                    "elected elastic, names", "the names that the world has given are in the image")
            .in(SEAT, "out.putProcess(id());", "out.putProcess(joiner.member().id());");

    private static final Mutant EPOCH = without("elected elastic, epoch", "the epoch of the world is in the image")
            .in(WORLD, "out.putInt(round).putInt(epoch)", "out.putInt(round).putInt(0)");

    private static final Mutant LATE = without(
                    "elected elastic, V9", "the time to join begins anew under another coordinator")
            .in(
                    CORE,
                    "candidates.restart(phase == Phase.LAST_CALL, nowNs);\n        }\n        beginDeadline(nowNs);\n        spares",
                    "}\n        beginDeadline(nowNs);\n        spares");

    private static final Mutant RUNNING = without("elected elastic, V14", "which processes run is in the image")
            .in(SEAT, "confirmed, running, announced", "confirmed, false, announced");

    private static final Mutant NOTES = without(
                    "elected elastic, notes", "a process whose host knows that it had finalized ends as a departed one")
            .in(
                    CORE,
                    "seat.saidGoodbye = true;\n            listener.onGoodbye(seat.id(), seat.heldForFailed);",
                    "listener.onGoodbye(seat.id(), seat.heldForFailed);");

    private static final Mutant UNKNOWN_MEMBERS = without(
                    "elected elastic, unknown members",
                    "a process that has finalized was a member, though no coordinator was told so")
            .in(WORLD, "(roster.holds(seat) || seat.joiner != null && !seat.excluded)", "roster.holds(seat)");

    private ElectedElasticMutants() {}

    static List<Trial> trials() {
        return List.of(
                elected(CANDIDATES_RETURN, "was thrown out without cause"),
                elected(NAMES, "one table a round"),
                elected(EPOCH, "one table a round", "in a world"),
                elected(LATE, "neither runs"),
                elected(RUNNING, "in round", "neither runs", "runs, but the gathering"),
                elected(NOTES, "begun again"),
                elected(UNKNOWN_MEMBERS, "begun again"));
    }

    private static Trial elected(Mutant mutant, String... broken) {
        return new Trial(mutant, Trial.Where.SEEDS, "elected-elastic", "2..5", 500, List.of(broken));
    }
}
