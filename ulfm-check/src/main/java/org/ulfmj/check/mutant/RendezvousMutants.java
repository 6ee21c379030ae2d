package org.ulfmj.check.mutant;

import static org.ulfmj.check.mutant.Trial.seeds;
import static org.ulfmj.sim.mutant.Mutant.without;

import java.util.List;
import org.ulfmj.sim.mutant.Mutant;

/** Mutants of the rendezvous, its sessions and its judge of silences, each without one of their rules. */
public final class RendezvousMutants {
    private static final String CORE = "org.ulfmj.rendezvous.RendezvousCore";

    private static final String WORLD = "org.ulfmj.rendezvous.RunningWorld";

    private static final String NEWS = "org.ulfmj.rendezvous.News";

    private static final Mutant STICKY = without(
                    "sticky news", "deaths and departures are told again to each process that joins again")
            .in(
                    NEWS,
                    "for (RendezvousMessage news : sticky) {\n            out.send(seat.nonce(), news);\n        }",
                    "// sticky");

    private static final Mutant ONE_A_SLOT = without(
                    "one process a rank", "of two processes that join as one rank the second is refused")
            .in("org.ulfmj.rendezvous.Refusals", "if (taken != null) {", "if (false) {");

    private static final Mutant ANSWERED_AGAIN = without(
                    "joins again", "a process that joins again is told how things stand")
            .in(CORE, "answerPresent(known, out);\n            if (phase", "if (phase");

    private static final Mutant GOODBYE_IS_DEPARTURE = without(
                    "goodbye", "a process that has said goodbye departs, it does not die")
            .in(WORLD, "RendezvousMessage end = seat.saidGoodbye\n", "RendezvousMessage end = false\n");

    private static final Mutant LEFT_BEHIND = without(
                    "what is left behind", "a process that goes on as a rank whose process has ended is fenced")
            .in(
                    WORLD,
                    "seat.fence = why;\n            out.send(seat.nonce(), new RendezvousMessage.Fence(why));",
                    "// left behind");

    private static final Mutant ENDED_EARLY = without(
                    "V7", "a process that ends before all have confirmed the table is not in the world")
            .in(CORE, "if (wasCandidate) {", "if (false) {");

    private static final Mutant THIS_ROUND = without("V6", "only a confirmation of the present round counts")
            .in(CORE, "phase != Phase.FROZEN || confirm.round() != round ||", "phase != Phase.FROZEN ||");

    private static final Mutant SAME_REASON = without(
                    "V2, the reason", "a process that is out is told the reason that it was given first")
            .in(
                    CORE,
                    "} else if (seat.out != null) {\n            out.send(nonce, seat.out);",
                    "} else if (seat.out != null) {\n            out.send(nonce, out(OutReason.TIMEOUT, \"gone\"));");

    private static final Mutant TOMBSTONE = without("V2, the tombstone", "a process that is out stays out")
            .in(
                    CORE,
                    "} else if (seat.out != null) {\n            out.send(nonce, seat.out);",
                    "} else if (false) {\n            out.send(nonce, seat.out);");

    private static final Mutant ASSIGNED_AGAIN = without("places", "a spare that calls again is told its place again")
            .in(CORE, "place == null\n", "true\n");

    private static final Mutant NO_DISPLACING = without(
                    "V11", "a newcomer waits until the older process of its slot has ended")
            .in("org.ulfmj.rendezvous.Roster", "if (!older.ended) {", "if (false) {");

    private static final Mutant GIVEN = without("V11, given", "incarnations are the launcher's to give")
            .in("org.ulfmj.rendezvous.Incarnations", "if (process.incarnation() > given[slot]) {", "if (false) {");

    private static final Mutant SUCCESSOR = without(
                    "V11, the successor",
                    "a newcomer that waited for the end of the older process is announced at that end")
            .in(WORLD, "news.announce(successor, out);", ";");

    private static final Mutant PENDING_AGAIN = without(
                    "pending news",
                    "processes that wait are told again to each process that joins again, and to newcomers once they run")
            .in(NEWS, "if (newcomer.announced) {", "if (false) {");

    private static final Mutant NEWCOMERS_MEET = without("P6, newcomers", "newcomers that wait hear of each other")
            .in(
                    NEWS,
                    "for (Seat other : othersWaiting(seat)) {\n            out.send(seat.nonce(),",
                    "for (Seat other : List.<Seat>of()) {\n            out.send(seat.nonce(),");

    private static final Mutant NO_MORE_AGAIN = without(
                    "no more",
                    "a slot that no process comes for is told again to each process that joins again, and to newcomers once they run")
            .in(NEWS, "if (incarnations.noMore(slot) != null) {", "if (false) {");

    private static final Mutant NEWS_FOR_THE_ADMITTED = without(
                    "news for the admitted", "a newcomer hears what members were told once it says that it runs")
            .in(WORLD, "seat.running = true;\n            news.tellAgain(seat, out);", "seat.running = true;");

    private static final Mutant IN_ORDER = without("V13, order", "only a later epoch replaces the table")
            .in(WORLD, "} else if (world.epoch() > epoch) {", "} else if (world.epoch() != epoch) {");

    private static final Mutant LEFT_OUT = without(
                    "P8, left out", "a process that waited for a place that is no longer there is told so")
            .in(WORLD, "if (!isWanted(seat)) {", "if (false) {");

    private static final Mutant STILL_WANTED = without(
                    "P8, still wanted", "a process that waits for the place of a member that is still listed is kept")
            .in(WORLD, "if (!isWanted(seat)) {", "if (true) {");

    private static final Mutant OVER = without("over", "a process that waits for a world that has finalized is told so")
            .in(WORLD, "for (Seat seat : waiting) {\n            leaveOut(seat, over, out);\n        }", "// over");

    private static final Mutant ROLL_CALL = without(
                    "V14, the call", "before a world is left those that wait are asked whether they run")
            .in(WORLD, "if (!rollCall.isOpen() && !mayRun.isEmpty()) {", "if (false) {");

    private static final Mutant CALLED = without(
                    "V15",
                    "a process that has said that it does not run is not admitted before it hears of the world again")
            .in("org.ulfmj.rendezvous.client.JoinSession", "called = true;", "called = false;");

    private static final Mutant COMMITTED_AGAIN = without(
                    "V13, again", "a member says again on every connection in which epoch it runs")
            .in("org.ulfmj.rendezvous.client.JoinSession", "if (isRunning && committed != null) {", "if (false) {");

    private static final String JUDGE = "org.ulfmj.rendezvous.silence.SilenceJudge";
    private static final String QUESTIONS = "org.ulfmj.rendezvous.silence.Questions";

    private static final Mutant NO_CONFIRMATION = without("J3, confirmed", "only complaints that are confirmed count")
            .in(
                    QUESTIONS,
                    "effects.askComplainer(complaint.by.id, complaint.question, accused.id);",
                    "complaints.confirm(complaint, atNs);");

    private static final Mutant NO_ANSWER = without(
                    "J2, answered", "complainers are asked only when the one complained of has answered")
            .in(
                    QUESTIONS,
                    "boolean isRipe = accused.hasAnswered && patience.isRipe(complaint, atNs);",
                    "boolean isRipe = accused.hasAnswered |= true;");

    private static final Mutant NO_BEAT = without("J2, beats", "a process that is asked beats its complainers first")
            .in(
                    QUESTIONS,
                    "effects.ask(subject.id, subject.question, complainers);",
                    "effects.ask(subject.id, subject.question, List.of());");

    private static final Mutant NO_WITHDRAWAL = without(
                    "J1, withdrawn", "hearing a process withdraws the complaint about it")
            .in(JUDGE, "complaints.withdraw(by, about);", "");

    private static final Mutant EARLY_LIMIT = without(
                    "J2, half a timeout", "a process that is asked a last time has half a timeout to answer")
            .in(QUESTIONS, "subject.dueNs = atNs + timeoutNs / 2;", "subject.dueNs = atNs;");

    private static final Mutant COMPLAINTS_ONLY = without(
                    "J2, without complaint", "the launcher looks and asks by itself")
            .in(
                    JUDGE,
                    "judgeStill(atNs);\n            judgeMute(atNs);",
                    "if (!complaints.isEmpty()) {\n                judgeStill(atNs);\n                judgeMute(atNs);\n            }");

    private static final Mutant EVERY_ONE = without(
                    "J3, one", "one process ends, and not every one that is complained of")
            .in(
                    JUDGE,
                    "end(subjects.get(worst), ofProcesses.reasonOf(worst, \"rank\"), atNs);",
                    "end(subjects.get(worst), ofProcesses.reasonOf(worst, \"rank\"), atNs);\n"
                            + "        valid.forEach(each -> effects.kill(each.about.id, \"every\"));");

    private static final Mutant NOT_VOID = without("J5, void", "complaints by or about what has ended are void")
            .in(
                    JUDGE,
                    "clock.at(nowNs);\n        complaints.dropByAndAbout(process);\n        hosts.forget(process);",
                    "clock.at(nowNs);\n        hosts.forget(process);");

    private static final Mutant VOID_ON_ITS_WAY = without(
                    "J5, given up", "a complaint by or about a process that was given up is void on arrival")
            .in(
                    JUDGE,
                    "if (!complainer.isOver() && !accused.isOver() && complaints.add(complainer, accused)) {",
                    "if (complaints.add(complainer, accused)) {");

    private static final Mutant ONE_AT_A_TIME = without(
                    "J5, one at a time", "nothing is decided before the end of the process that is to end is proven")
            .in(
                    JUDGE,
                    "if (verdict != null) {\n            awaitEnd(atNs);\n        } else {",
                    "if (verdict != null) {\n            awaitEnd(atNs);\n        }\n        verdict = null;\n        {");

    private static final Mutant NEVER_GIVES_UP = without("state D", "a process that SIGKILL does not end is given up")
            .in(JUDGE, "if (victim.isKillPending) {", "if (false) {");

    private static final Mutant GIVES_UP_UNSEEN = without(
                    "state D, seen", "a process is given up only if SIGKILL is seen to wait for it")
            .in(JUDGE, "if (victim.isKillPending) {", "if (true) {")
            .and("if (atNs - verdict.killedNs < timeoutNs / 2) {\n            return;\n        }", "");

    private static final Mutant AWAITED = without(
                    "J2, newcomers", "a newcomer that a member complains of is judged as a member")
            .in(JUDGE, "if (complainer.isMember && !accused.isMember && !accused.isAwaited) {", "if (false) {");

    private RendezvousMutants() {}

    static List<Trial> trials() {
        return List.of(
                seeds(STICKY, "rendezvous", 2_000, "news reaches all running ranks"),
                seeds(ONE_A_SLOT, "rendezvous", 2_000, "ranks ran in phase CLOSED", "news reaches all running ranks"),
                seeds(ANSWERED_AGAIN, "rendezvous", 2_000, "was told: no answer", "news reaches all running ranks"),
                seeds(GOODBYE_IS_DEPARTURE, "rendezvous", 2_000, "which had left"),
                seeds(LEFT_BEHIND, "rendezvous", 2_000, "news reaches all running ranks"),
                seeds(ENDED_EARLY, "rendezvous", 2_000, "news reaches all running ranks"),
                newcomers(THIS_ROUND, "all have confirmed"),
                newcomers(SAME_REASON, "answers stay"),
                newcomers(TOMBSTONE, "every process knows its place"),
                newcomers(ASSIGNED_AGAIN, "does not know its place"),
                newcomers(NO_DISPLACING, "one a slot"),
                newcomers(GIVEN, "the launcher never started it", "every process knows its place"),
                newcomers(SUCCESSOR, "was not told that process"),
                newcomers(PENDING_AGAIN, "was not told that process"),
                newcomers(NEWCOMERS_MEET, "waits too"),
                newcomers(NO_MORE_AGAIN, "was not told that no process comes"),
                newcomers(NEWS_FOR_THE_ADMITTED, "was not told of the end of", "was not told that"),
                newcomers(IN_ORDER, "the launcher thinks in epoch", "was thrown out"),
                newcomers(LEFT_OUT, "for a place that is not there"),
                newcomers(STILL_WANTED, "left out only if not wanted"),
                newcomers(OVER, "waits for a world in which no process runs"),
                newcomers(ROLL_CALL, "was thrown out", "runs, but the launcher is in phase", "in round"),
                newcomers(CALLED, "in round", "was thrown out", "the launcher is in phase"),
                newcomers(COMMITTED_AGAIN, "the launcher thinks in epoch"),
                silence(NO_CONFIRMATION, "healthy ranks were ended"),
                silence(NO_ANSWER, "healthy ranks were ended"),
                silence(NO_BEAT, "healthy ranks were ended", "silences end"),
                silence(NO_WITHDRAWAL, "silences end", "healthy ranks were ended"),
                Trial.seed(EARLY_LIMIT, "silence 8 94826", "healthy ranks were ended"),
                silence(COMPLAINTS_ONLY, "silences end"),
                silence(EVERY_ONE, "healthy ranks were ended"),
                silence(NOT_VOID, "silences end"),
                Trial.seed(VOID_ON_ITS_WAY, "silence 7 623231", "silences end"),
                silence(ONE_AT_A_TIME, "healthy ranks were ended", "silences end"),
                silence(NEVER_GIVES_UP, "silences end"),
                silence(GIVES_UP_UNSEEN, "is held for failed and can run"),
                new Trial(AWAITED, Trial.Where.SEEDS, "silence-newcomer", "2..4", 5_000, List.of("silences end")));
    }

    private static Trial silence(Mutant mutant, String... broken) {
        return new Trial(mutant, Trial.Where.SEEDS, "silence", "2..4", 5_000, List.of(broken));
    }

    private static Trial newcomers(Mutant mutant, String... broken) {
        return new Trial(mutant, Trial.Where.SEEDS, "newcomers", "2..6", 10_000, List.of(broken));
    }
}
