package org.ulfmj.check.mutant;

import static org.ulfmj.check.mutant.Trial.seeds;
import static org.ulfmj.sim.mutant.Mutant.without;

import java.util.List;
import org.ulfmj.sim.mutant.Mutant;

/**
 * Mutants of grow(), each without one part of its rules G4, G5, G6, G8 and G9, and their trials. Among the trials are
 * some of mutants of replace(), in worlds that grow.
 */
public final class GrowMutants {
    private static final String CHANGE = "org.ulfmj.agree.change.WorldChange";
    private static final String WORLDS = "org.ulfmj.agree.Worlds";
    private static final String ANCESTRY = "org.ulfmj.agree.message.Ancestry";
    private static final String NEXT_WORLD = "org.ulfmj.agree.change.NextWorld";

    private static final String FINISHES = "every member finishes";
    private static final String ONE_WORLD = "members return into one world";
    private static final String TOLD = "admitted processes are told";
    private static final String ALONE = "no process runs in a world of its own";
    private static final String ONE_PROCESS = "no slot for two processes";

    public static final Mutant G4_JOINERS = without(
                    "G4 joiners",
                    "which joiners are let in follows from the decision, not from what was announced here")
            .in(
                    CHANGE,
                    "NextWorld.of(present, context.ancestry(), failed, offer)",
                    "NextWorld.of(present, context.ancestry(), failed, mine())");

    public static final Mutant G4_FAILED = without(
                    "G4 failed",
                    "which members a new world leaves out follows from the decision, not from what failed here")
            .in(CHANGE, "failed = decision.failed();", "failed = world.failed();");

    private static final Mutant G4_NEXT = without(
                    "G4 next", "the number of a joiner that has died is given to no other")
            .in(WORLDS, ": present.ancestry();", ": Ancestry.of(present.members().lastKey());");

    private static final Mutant G4_PAST = without("G4 past", "a process that was let in gets no second slot")
            .in(ANCESTRY, "left.add(member.nonce());", "// G4");

    private static final Mutant G4_ROOM = without("G4 room", "joiners beyond the most members stay waiting")
            .in(NEXT_WORLD, "if (members.size() >= offer.joins().most() ||", "if (");

    public static final Mutant G5_ALL_ENTER = without(
                    "G5", "a member that sees no process waiting enters the agreement all the same")
            .in(
                    CHANGE,
                    "    public void begin(Outbox<ProcessId, ControlMessage> out) {\n        offer(out);",
                    "    public void begin(Outbox<ProcessId, ControlMessage> out) {\n"
                            + "        if (terms.kind() == Kind.GROW && context.announced().waiting() == 0) {\n"
                            + "            end(new ChangeOutcome.Unchanged());\n            return;\n        }\n"
                            + "        offer(out);");

    public static final Mutant G6 = without("G6", "no member returns before all live members have confirmed")
            .in(
                    CHANGE,
                    "        }\n        confirm(out);",
                    "        }\n        phase = Phase.OVER;\n        context.admitted(admission, newcomers, out);");

    private static final Mutant G6_ADDRESS = without(
                    "G6 address", "a member calls a joiner that only another one has heard of")
            .in(
                    CHANGE,
                    "context.introduce(admission.members().get(newcomers.slot(i)));",
                    "Contact newcomer = admission.members().get(newcomers.slot(i));\n"
                            + "            if (context.announced().joiners(99, false).first().stream()\n"
                            + "                    .anyMatch(joiner -> joiner.nonce() == newcomer.nonce())) {\n"
                            + "                context.introduce(newcomer);\n            }");

    public static final Mutant G8 = without("G8", "calls of two kinds are told apart")
            .in(CHANGE, "if (!decision.isOnly(terms.kind())) {", "if (!decision.kinds().containsKey(terms.kind())) {");

    private static final Mutant G9 = without("G9", "grow() leaves dead members out, and fails for none of them")
            .in(
                    CHANGE,
                    "if (offer.strict() && !missing",
                    "if ((offer.strict() || terms.kind() == Kind.GROW) && !missing");

    private GrowMutants() {}

    static List<Trial> trials() {
        return List.of(
                seeds(G4_JOINERS, "grow", 200, FINISHES, ONE_WORLD, ALONE, "no call of"),
                seeds(G4_FAILED, "grow", 1_000, FINISHES, ONE_WORLD, ALONE),
                seeds(G4_NEXT, "grow", 500, ONE_PROCESS),
                seeds(G4_PAST, "grow", 500, ONE_PROCESS),
                seeds(G4_ROOM, "grow", 100, "no world has more than the most"),
                seeds(G5_ALL_ENTER, "grow", 200, FINISHES, "no call of"),
                seeds(G6, "grow", 500, ONE_WORLD, ALONE),
                seeds(G6_ADDRESS, "grow", 100, "no process talks to strangers"),
                seeds(G8, "grow", 200, FINISHES, ALONE),
                seeds(G9, "grow", 100, "no call of"),
                seeds(ReplaceMutants.P6_HOLDS, "grow", 10_000, FINISHES),
                seeds(ReplaceMutants.P5_EVERYBODY, "grow", 500, TOLD),
                seeds(ReplaceMutants.P12, "grow", 2_000, FINISHES));
    }
}
