package org.ulfmj.check.survivor;

import java.util.ArrayList;
import java.util.List;
import org.ulfmj.agree.message.Kind;
import org.ulfmj.sim.SeededRandom;
import org.ulfmj.sim.Simulation;

/**
 * The program of the ranks of one schedule: the same calls in the same order at every rank, as MPI demands, except that
 * in some steps one rank makes another call.
 *
 * @param acts the steps, in order
 * @param finalizes whether the ranks leave at the end, or stay and watch each other
 */
public record SurvivorProgram(List<Act> acts, boolean finalizes) {
    /** Stands for no process. */
    public static final int NO_RANK = -1;

    /**
     * One collective step.
     *
     * @param kind of the call
     * @param calls how many such calls a rank makes in the step, perhaps overlapping; above 1 for non-blocking kinds
     *     only
     * @param oddOne rank that makes another call by mistake, or {@link #NO_RANK}
     * @param revokePercent chance, in percent, that a rank revokes its communicator around this step; drawn per rank
     */
    public record Act(Kind kind, int calls, int oddOne, int revokePercent) {}

    /** The kinds of steps that a scenario mostly consists of. */
    public enum Emphasis {
        AGREE,
        SHRINK,
        REVOKE,
        FINALIZE,
        ALL
    }

    public static SurvivorProgram draw(SeededRandom random, int ranks, Emphasis emphasis) {
        List<Act> acts = new ArrayList<>();
        int length = emphasis == Emphasis.FINALIZE ? random.below(2) : 1 + random.below(3);
        for (int i = 0; i < length; i++) {
            Kind kind = drawKind(random, emphasis);
            int calls = kind == Kind.IAGREE ? 1 + random.below(3) : 1;
            int oddOne = random.chance(4) ? random.below(ranks) : NO_RANK;
            acts.add(new Act(kind, calls, oddOne, drawRevokePercent(random, emphasis)));
        }
        boolean finalizes = emphasis == Emphasis.FINALIZE || (emphasis == Emphasis.ALL && random.chance(60));
        if (finalizes) {
            if (random.chance(10)) {
                acts.add(new Act(Kind.FINALIZE, 1, random.below(ranks), 0));
            }
            acts.add(new Act(Kind.FINALIZE, 1, NO_RANK, 0));
        }
        return new SurvivorProgram(List.copyOf(acts), finalizes);
    }

    /** Returns the program without the steps, the mistakes and the revocations that this schedule leaves out. */
    public SurvivorProgram within(Simulation simulation) {
        List<Act> kept = new ArrayList<>();
        for (Act act : acts) {
            boolean isLast = finalizes && act == acts.get(acts.size() - 1);
            boolean isKept = isLast || simulation.plans("call of " + act.kind());
            boolean isOdd = act.oddOne() != NO_RANK && simulation.plans("mistake of " + act.oddOne() + " in it");
            boolean isRevoked = act.revokePercent() > 0 && simulation.plans("revocations during it");
            if (isKept) {
                int oddOne = isOdd ? act.oddOne() : NO_RANK;
                kept.add(new Act(act.kind(), act.calls(), oddOne, isRevoked ? act.revokePercent() : 0));
            }
        }
        return new SurvivorProgram(List.copyOf(kept), finalizes);
    }

    /** The most calls of a rank that may be open at once. */
    public int mostOpenCalls() {
        return acts.stream().mapToInt(Act::calls).max().orElse(1);
    }

    private static Kind drawKind(SeededRandom random, Emphasis emphasis) {
        int draw = random.below(100);
        switch (emphasis) {
            case AGREE:
                return draw < 60 ? Kind.AGREE : draw < 75 ? Kind.IAGREE : draw < 90 ? Kind.AGREE_FAILED : Kind.SHRINK;
            case SHRINK, REVOKE:
                return draw < 80 ? Kind.SHRINK : Kind.AGREE;
            default:
                return draw < 35 ? Kind.AGREE : draw < 50 ? Kind.IAGREE : draw < 60 ? Kind.AGREE_FAILED : Kind.SHRINK;
        }
    }

    private static int drawRevokePercent(SeededRandom random, Emphasis emphasis) {
        if (emphasis == Emphasis.AGREE) {
            return 0;
        }
        return random.chance(emphasis == Emphasis.REVOKE ? 80 : 40) ? 25 : 0;
    }
}
