package org.ulfmj.check.mutant;

import static org.ulfmj.sim.mutant.Mutant.without;

import java.util.List;
import org.ulfmj.sim.mutant.Mutant;

/** Mutants of the rendezvous, each without one of the rules that J4 and V15 need where names of processes change. */
final class ElasticHostsMutants {
    private static final String SILENCES = "org.ulfmj.rendezvous.Silences";
    private static final String WORLD = "org.ulfmj.rendezvous.RunningWorld";
    private static final String SESSION = "org.ulfmj.rendezvous.client.JoinSession";

    private static final Mutant PLACED_BY_NUMBER = without(
                    "elastic hosts, the place", "the host of a process is known before it has a name")
            .in(SILENCES, "tellPlace(seat.id(), child(seat));", "tellPlace(seat.id(), seat.id());");

    private static final Mutant LOST_FOR_GOOD = without(
                    "elastic hosts, lasting names", "what is lost is lost by the name that it keeps")
            .in(SILENCES, "lost.add(seat.lastingName());", "lost.add(seat.id());");

    private static final Mutant LOST_BY_THE_NEW_NAME = without(
                    "elastic hosts, the new name", "what is lost is judged as lost by a new name too")
            .in(SILENCES, "renamed.add(seat.lastingName());", ";");

    private static final Mutant TOLD_BY_THE_NEW_NAME = without(
                    "elastic hosts, told again", "members that let in what is lost are told that it is")
            .in(WORLD, "silences.tellThatLost(seat);", ";");

    private static final Mutant LEASES_OF_ALL = without("elastic hosts, V15", "a process without a slot has a lease")
            .in(
                    SESSION,
                    "new JoinSession(joiner.member(), joiner, lease);",
                    "new JoinSession(joiner.member(), joiner, null);");

    private ElasticHostsMutants() {}

    static List<Trial> trials() {
        return List.of(
                world(PLACED_BY_NUMBER, "does not know that"),
                world(LOST_FOR_GOOD, "does not know that", "is not told that"),
                world(LOST_BY_THE_NEW_NAME, "lives although its agent is heard"),
                world(TOLD_BY_THE_NEW_NAME, "is not told that"),
                world(LEASES_OF_ALL, "is told dead and can run"));
    }

    private static Trial world(Mutant mutant, String... broken) {
        return new Trial(mutant, Trial.Where.SEEDS, "elastic-hosts", "2..5", 1_000, List.of(broken));
    }
}
