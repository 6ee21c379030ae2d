package org.ulfmj.check.mutant;

import static org.ulfmj.check.mutant.Trial.world;
import static org.ulfmj.sim.mutant.Mutant.without;

import java.util.List;
import org.ulfmj.sim.mutant.Mutant;

/** Mutants of the rendezvous, each without one of its rules, with a small world, or seeds, in which that is noticed. */
public final class RoundsMutants {
    private static final String CORE = "org.ulfmj.rendezvous.RendezvousCore";
    private static final String CANDIDATES = "org.ulfmj.rendezvous.Candidates";
    private static final String WORLD = "org.ulfmj.rendezvous.RunningWorld";
    private static final String SESSION = "org.ulfmj.rendezvous.client.JoinSession";

    private static final Mutant ANSWERED_FIRST = without(
                    "rounds V2, the answer", "a process that joins again hears again that the world runs")
            .in(WORLD, "sendWorld(seat, out);\n        } else if", ";\n        } else if");

    private static final Mutant SAME_REASON = without(
                    "rounds V2, the reason", "a process that is out is told the reason that it was given first")
            .in(
                    CORE,
                    "} else if (seat.out != null) {\n            out.send(nonce, seat.out);",
                    "} else if (seat.out != null) {\n            out.send(nonce, out(OutReason.FENCED, \"gone\"));");

    private static final Mutant TOMBSTONE = without("rounds V2, the tombstone", "a process that is out stays out")
            .in(
                    CORE,
                    "if (known != null) {",
                    "if (known != null && known.out != null) {\n            known.out = null;\n"
                            + "            world.onNewcomer(known, out);\n            return;\n        }\n"
                            + "        if (known != null) {");

    private static final Mutant CANCELLED = without(
                    "rounds V4", "a last call ends when there are too few candidates again")
            .in(
                    CANDIDATES,
                    "if (have() < size.min()) {\n            lastCallEndNs = Long.MAX_VALUE;",
                    "if (have() < size.min()) {");

    private static final Mutant THIS_ROUND = without("rounds V6", "only a confirmation of the present round counts")
            .in(CORE, "phase != Phase.FROZEN || confirm.round() != round ||", "phase != Phase.FROZEN ||");

    private static final Mutant NEVER_AGAIN = without(
                    "rounds V8", "a process that has not confirmed in time is no candidate again")
            .in(CORE, "seat.out = out(OutReason.NO_CONFIRM, text);", ";")
            .and("out.send(seat.nonce(), seat.out);\n            vacate(seat, nowNs);", "vacate(seat, nowNs);");

    private static final Mutant HELD = without("rounds V10, held", "a process that joins a frozen round is kept")
            .in(
                    CORE,
                    "Seat seat = joiner == null",
                    "if (phase == Phase.FROZEN) {\n            return;\n        }\n        Seat seat = joiner == null");

    private static final Mutant SILENT_CALL = without(
                    "rounds V10, the call", "a process that joins in a roll call is told nothing before that ends")
            .in(WORLD, "seat.held = true;", "receiveAll(List.of(seat), out);");

    private static final Mutant NO_DISPLACING = without(
                    "rounds V11", "a newcomer waits until the older process of its slot has ended")
            .in("org.ulfmj.rendezvous.Roster", "if (!older.ended) {", "if (false) {");

    private static final Mutant LEAVING_CLOSES_NOTHING = without(
                    "rounds V12", "a process that leaves does not close the rendezvous")
            .in(
                    CORE,
                    "seat.hasLeft = true;",
                    "seat.hasLeft = true;\n        close(OutReason.CLOSED, \"one has left\", out);");

    private static final Mutant DEAD_WHEN_ADMITTED = without(
                    "rounds V12, the admitted dead", "members hear of one that ended while they admitted it")
            .in(WORLD, "if (run.isElastic()) {\n            tellOfTheDead(before, out);", "if (false) {");

    private static final Mutant LEFT_WHEN_ADMITTED = without(
                    "rounds V12, the admitted that left", "members hear of one that left while they admitted it")
            .in(
                    WORLD,
                    "if (seat.hasLeft) {\n                news.tellForGood(",
                    "if (false) {\n                news.tell(");

    private static final Mutant LEFT_WAITING = without(
                    "rounds V12, the waiter that left", "members hear that one that waited has left")
            .in(WORLD, "if (listener.onLeave(from.id(), why) && from.announced) {", "if (false) {");

    private static final Mutant SPARES_CALLED = without(
                    "rounds G11, the call", "spares are announced once the world has room")
            .in(WORLD, "if (run.isElastic() && !rollCall.isOpen()) {", "if (false) {");

    private static final Mutant SPARES_UNKNOWN = without(
                    "rounds G11, the full world", "members of a full world hear of no spare")
            .in("org.ulfmj.rendezvous.Roster", "elastic != null && table.size() >= elastic.max()", "false");

    private static final Mutant CLOSED_FOR_ALL = without("rounds CLOSE", "all that have joined hear that it is closed")
            .in("org.ulfmj.rendezvous.Refusals", "if (!seat.ended && !seat.hasLeftEarly()) {", "if (false) {");

    private static final Mutant ADMITTED = without(
                    "rounds V13, FINAL", "a world that has admitted processes goes on; it is not frozen again")
            .in(
                    CORE,
                    "world.onMessage(seat, message, nowNs, out);",
                    "world.onMessage(seat, message, nowNs, out);\n"
                            + "            if (message instanceof RendezvousMessage.Committed) {\n"
                            + "                phase = Phase.FROZEN;\n                round++;\n"
                            + "                unconfirmed = roster.size();\n"
                            + "                deadlineNs = nowNs + run.confirmTimeoutNs();\n"
                            + "                for (Seat each : roster.holders()) {\n"
                            + "                    each.confirmed = false;\n"
                            + "                    out.send(each.nonce(), new RendezvousMessage.Table(round, roster.members()));\n"
                            + "                }\n                return;\n            }");

    private static final Mutant IN_ORDER = without("rounds V13, order", "only a later epoch replaces the table")
            .in(WORLD, "} else if (world.epoch() > epoch) {", "} else if (world.epoch() != epoch) {");

    private static final Mutant EXCLUDED_RUN = without(
                    "rounds V14, the excluded", "a world is not left while a process that it excluded may run")
            .in(WORLD, "if (seat.excluded && !seat.isStill()) {", "if (false) {");

    private static final Mutant ROLL_CALL = without(
                    "rounds V14, the call", "before a world is left those that wait are asked whether they run")
            .in(WORLD, "if (!rollCall.isOpen() && !mayRun.isEmpty()) {", "if (false) {");

    private static final Mutant NUMBERED = without(
                    "rounds V14, the number", "an answer to an earlier roll call is ignored")
            .in("org.ulfmj.rendezvous.RollCall", "if (!open || answer.call() != number) {", "if (!open) {");

    private static final Mutant CALLED = without(
                    "rounds V15, called",
                    "a process that has said that it does not run is not admitted before it hears of the world again")
            .in(SESSION, "called = true;", "called = false;");

    private static final Mutant WAITS = without(
                    "rounds V15, WAIT", "a process whose confirmed table is void waits when it is told to")
            .in(SESSION, "state = state == State.CONFIRMED ? State.JOINING : state;", ";");

    private RoundsMutants() {}

    static List<Trial> trials() {
        return List.of(
                world(ANSWERED_FIRST, "rounds-break", "silence"),
                world(SAME_REASON, "rounds-crash-break", "healthy"),
                world(TOMBSTONE, "rounds-excluded", "silence"),
                world(CANCELLED, "rounds-cancelled", "barrier"),
                world(THIS_ROUND, "rounds-restart", "barrier"),
                world(NEVER_AGAIN, "rounds-mute", "rounds end"),
                world(HELD, "rounds-held", "silence"),
                world(NO_DISPLACING, "rounds-double", "exclusivity"),
                world(LEAVING_CLOSES_NOTHING, "rounds-leaves", "closed"),
                world(ADMITTED, "rounds-admits", "healthy"),
                world(DEAD_WHEN_ADMITTED, "rounds-called", "news"),
                world(LEFT_WHEN_ADMITTED, "rounds-left-admitted", "news"),
                world(LEFT_WAITING, "rounds-left-admitted", "news"),
                world(SPARES_CALLED, "rounds-spare-admitted", "news"),
                world(SPARES_UNKNOWN, "rounds-spare", "spares"),
                world(CLOSED_FOR_ALL, "rounds-closed-calm", "closed"),
                world(IN_ORDER, "rounds-overtaking", "healthy"),
                world(ROLL_CALL, "rounds-called", "healthy"),
                world(NUMBERED, "rounds-called-twice", "healthy"),
                world(CALLED, "rounds-called", "healthy"),
                new Trial(EXCLUDED_RUN, Trial.Where.SEEDS, "elastic", "2..5", 2_000, List.of("in round")));
    }

    /** Returns trials in larger worlds, which are not among those of {@link Gate#all}. */
    public static List<Trial> large() {
        return List.of(
                world(WAITS, "rounds-spare-restart", "silence"),
                world(EXCLUDED_RUN, "rounds-excluded-3", "exclusivity"),
                world(SILENT_CALL, "rounds-called-3", "roll call"));
    }
}
