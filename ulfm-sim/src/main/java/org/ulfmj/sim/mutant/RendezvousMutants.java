package org.ulfmj.sim.mutant;

import static org.ulfmj.sim.mutant.Trial.seeds;

import java.util.List;

/** The rendezvous core without one of its rules. Its protocol is on the class path of the rendezvous module's tests. */
public final class RendezvousMutants {
    private static final String CORE = "org.ulfmj.rendezvous.RendezvousCore";

    private static final String WORLD = "org.ulfmj.rendezvous.RunningWorld";

    private static final Mutant STICKY = Mutant.of(
            "sticky news",
            "deaths and departures are told again to whoever joins again",
            WORLD,
            "for (RendezvousMessage news : sticky) {\n            out.send(seat.nonce(), news);\n        }",
            "// sticky");

    private static final Mutant ONE_A_SLOT = Mutant.of(
            "one process a rank",
            "of two processes that join as one rank the second is refused",
            CORE,
            "if (taken != null) {",
            "if (false) {");

    private static final Mutant ANSWERED_AGAIN = Mutant.of(
            "joins again",
            "who joins again is told how things stand",
            CORE,
            "answerPresent(known, out);\n            return;",
            "return;");

    private static final Mutant GOODBYE_IS_DEPARTURE = Mutant.of(
            "goodbye",
            "who has said goodbye departs, it does not die",
            WORLD,
            "RendezvousMessage news = seat.saidGoodbye\n",
            "RendezvousMessage news = false\n");

    private static final Mutant LEFT_BEHIND = Mutant.of(
            "what is left behind",
            "a process that goes on as a rank whose process has ended is fenced",
            WORLD,
            "seat.fence = why;\n            out.send(seat.nonce(), new RendezvousMessage.Fence(why));",
            "// left behind");

    private static final Mutant ENDED_EARLY = Mutant.of(
            "V7",
            "a process that ends before all have confirmed the table is not in the world",
            CORE,
            "if (wasCandidate) {",
            "if (false) {");

    private RendezvousMutants() {}

    static List<Trial> trials() {
        return List.of(
                seeds(STICKY, "rendezvous", 2_000, "news reaches all who run"),
                seeds(ONE_A_SLOT, "rendezvous", 2_000, "ranks ran in phase CLOSED", "which had left"),
                seeds(ANSWERED_AGAIN, "rendezvous", 2_000, "was told: no answer", "news reaches all who run"),
                seeds(GOODBYE_IS_DEPARTURE, "rendezvous", 2_000, "which had left"),
                seeds(LEFT_BEHIND, "rendezvous", 2_000, "news reaches all who run"),
                seeds(ENDED_EARLY, "rendezvous", 2_000, "news reaches all who run"));
    }
}
