package org.ulfmj.check.mutant;

import static org.ulfmj.check.mutant.Trial.seed;
import static org.ulfmj.check.mutant.Trial.seeds;
import static org.ulfmj.sim.mutant.Mutant.without;

import java.util.List;
import org.ulfmj.sim.mutant.Mutant;

/** Mutants, each without one rule that a world with replaced members needs. */
public final class ReplaceMutants {
    private static final String REPLACEMENT = "org.ulfmj.agree.change.WorldChange";
    private static final String WORLDS = "org.ulfmj.agree.Worlds";
    private static final String LOSSES = "org.ulfmj.agree.Losses";
    private static final String COMMUNICATORS = "org.ulfmj.agree.Communicators";
    private static final String WELCOMES = "org.ulfmj.agree.Welcomes";

    private static final String FINISHES = "every live member finishes";
    private static final String TOLD = "admitted newcomers are told";
    private static final String ONE_WORLD = "live ranks are in one world";
    private static final String SAME_MEMBERS = "all holders of an epoch hold the same members";
    private static final String SPLIT = "survivors of splits mark each other";

    public static final Mutant P2_OFFERS = without(
                    "P2 offers",
                    "which process fills which slot follows from the decision, not from what was announced here")
            .in(
                    REPLACEMENT,
                    "NextWorld.of(present, context.ancestry(), failed, offer)",
                    "NextWorld.of(present, context.ancestry(), failed, mine())");

    public static final Mutant P2_FAILED = without(
                    "P2 failed", "whom a new world leaves out follows from the decision, not from what failed here")
            .in(REPLACEMENT, "failed = decision.failed();", "failed = world.failed();");

    public static final Mutant P2_WAITS = without(
                    "P2 waits", "whether there is another round follows from the decision, not from the clock here")
            .in(
                    REPLACEMENT,
                    "if (mayCome && offer.waits()) {",
                    "if (mayCome && context.nowNs() < deadlineNs && round < ((ReplaceTerms) terms).rounds()) {");

    public static final Mutant P4 = without(
                    "P4", "no rank returns before all live ranks have confirmed the new members")
            .in(
                    REPLACEMENT,
                    "        }\n        confirm(out);",
                    "        }\n        phase = Phase.OVER;\n        context.admitted(admission, newcomers, out);");

    public static final Mutant P5_EVERYBODY = without(
                    "P5 every survivor", "every survivor tells the newcomers, not the lowest alone")
            .in(
                    WELCOMES,
                    "out.send(membership.process(slot), welcome); // P5",
                    "if (live.place(me.slot()) == 0) {\n                    out.send(membership.process(slot), welcome);\n"
                            + "                } // P5");

    public static final Mutant P6_HOLDS = without("P6 holds", "a newcomer holds what comes before its welcome")
            .in(WORLDS, "newcomer.hold(from, message); // P6", "// P6");

    private static final Mutant P6_PASSES_ON = without("P6 passes on", "a newcomer passes its welcome on")
            .in(
                    WORLDS,
                    "enter(welcome.admission(), welcome.newcomers(), out);",
                    "enter(welcome.admission(), SlotSet.EMPTY, out);");

    private static final Mutant P6_MEETS = without("P6 meets", "newcomers that wait may talk to each other")
            .in(WORLDS, "rank.driver().introduce(waiting);", "// P6");

    public static final Mutant P10 = without("P10", "a newcomer may be talked with before the members are confirmed")
            .in(REPLACEMENT, "context.introduce(admission.members().get(newcomers.slot(i)));", "// P10");

    public static final Mutant P12 = without(
                    "P12", "decisions of the replaced world can be asked for until the new one has agreed")
            .in(
                    WORLDS,
                    "replacedWorld != null && hasWorldAgreed && replacedWorld.isFreed() && replacedWorld.isSettled()",
                    "replacedWorld != null && replacedWorld.isFreed()");

    private static final Mutant QUORUM_OF_THE_PAST = without(
                    "P14 quorum", "no majority is asked for of members that were replaced since")
            .in("org.ulfmj.agree.consensus.Agreements", "return !context.isInForce() || quorum", "return quorum");

    private static final Mutant RECOVERY = without(
                    "a commit meets a replace",
                    "a replace that meets a commit begins anew, and each rank that commits comes to it")
            .in(REPLACEMENT, "terms.isOfRecovery() && kind.isOfRecovery()", "false");

    private static final Mutant EPOCH_OF_EVENTS = without(
                    "obituaries of the epoch", "obituaries spread over the members of the epoch in force")
            .in(LOSSES, "obituaries.enter(next, detectorOutbox(out));", "// epoch");

    private static final Mutant EPOCH_OF_REVOCATIONS = without(
                    "revocations of the epoch", "revocations spread over the members of the epoch in force")
            .in(COMMUNICATORS, "revocations.enter(next, out);", "// epoch");

    private static final Mutant B7_LATER = without(
                    "B7 later",
                    "in a gathered world a process asks its predecessor for heartbeats, which may be a former newcomer")
            .in("org.ulfmj.detector.RingDetector", "if (membership.epoch() > 0) { // B7", "if (false) { // B7");

    private static final Mutant KEPT_WELCOME = without(
                    "R0 of earlier worlds",
                    "a process that had a slot before a member has failed, so that nothing of an earlier world is heard")
            .in(
                    "org.ulfmj.detector.FailureSet",
                    "return !firstPresent.isEmpty() && process.incarnation() < firstPresent(process.slot());",
                    "return false;");

    private ReplaceMutants() {}

    /** Returns a trial with schedules of replace() from seeds, with 7 to 16 ranks. */
    private static Trial many(Mutant mutant, long within, String... broken) {
        return new Trial(mutant, Trial.Where.SEEDS, "replace", "7..16", within, List.of(broken));
    }

    static List<Trial> trials() {
        return List.of(
                seeds(P2_OFFERS, "replace", 500, FINISHES),
                seeds(P2_FAILED, "replace", 200, FINISHES),
                seeds(P2_WAITS, "replace", 2_000, FINISHES, SAME_MEMBERS),
                seeds(P4, "replace", 300, ONE_WORLD, SAME_MEMBERS, SPLIT),
                seeds(P5_EVERYBODY, "replace", 200, TOLD),
                many(P6_HOLDS, 1_500, FINISHES),
                many(P6_PASSES_ON, 1_000, TOLD),
                // Few of the drawn schedules catch this mutant, so one is named here.
                seed(P6_MEETS, "replace 6 1647", "no healthy process is suspected", "excluded processes end"),
                seeds(P10, "replace", 100, "no process talks to strangers"),
                seeds(P12, "replace", 1_000, FINISHES, "no rank forgets what another keeps"),
                seed(QUORUM_OF_THE_PAST, "replace 3 7668", "no process is fenced without cause"),
                seeds(RECOVERY, "replace", 200, FINISHES),
                seeds(EPOCH_OF_EVENTS, "replace", 500, "ends in the world are known"),
                seeds(EPOCH_OF_REVOCATIONS, "replace", 300, "revoked for one revoked for all"),
                seeds(B7_LATER, "replace", 500, "no healthy process is suspected", "excluded processes end"),
                seeds(KEPT_WELCOME, "replace", 300, "only the failed are replaced"));
    }
}
