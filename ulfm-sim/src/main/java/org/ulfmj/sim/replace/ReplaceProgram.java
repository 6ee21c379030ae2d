package org.ulfmj.sim.replace;

import java.util.ArrayList;
import java.util.List;
import org.ulfmj.agree.Kind;
import org.ulfmj.sim.SeededRandom;
import org.ulfmj.sim.Simulation;

/**
 * What the ranks of one schedule do: replaces in a row, with agreements on the world that each of them makes, and Finalize
 * or nothing at the end. A newcomer begins behind the replace that admitted it: its epoch says where that is.
 */
record ReplaceProgram(List<Act> acts) {
    /** Nobody. */
    static final int NOBODY = -1;

    /**
     * One collective step.
     *
     * @param oddOne slot whose process calls {@code oddKind} instead, or {@link #NOBODY}
     */
    record Act(Kind kind, int oddOne, Kind oddKind) {
        /** What the process in a slot calls. */
        Kind kindOf(int slot) {
            return slot == oddOne ? oddKind : kind;
        }

        /** Whether it comes back to the replace that the others are in. */
        boolean comesBack(int slot) {
            return slot == oddOne && (oddKind == Kind.COMMIT || oddKind == Kind.SUMMARY);
        }
    }

    private static final Kind[] ODD = {Kind.AGREE, Kind.SHRINK, Kind.FINALIZE, Kind.COMMIT, Kind.SUMMARY};

    static ReplaceProgram draw(SeededRandom random, Simulation simulation) {
        if (random.chance(6)) {
            return withoutReplace(random);
        }
        List<Act> acts = new ArrayList<>();
        for (int left = 1 + random.below(3); left > 0; left--) {
            if (random.chance(30)) {
                acts.add(new Act(Kind.AGREE, NOBODY, null));
            }
            boolean isOdd = random.chance(12);
            int oddOne = random.below(simulation.ranks());
            Kind oddKind = ODD[random.below(ODD.length)];
            acts.add(
                    isOdd && simulation.plans(oddKind + " by " + oddOne + " instead of a replace")
                            ? new Act(Kind.REPLACE, oddOne, oddKind)
                            : new Act(Kind.REPLACE, NOBODY, null));
            if (random.chance(70)) {
                acts.add(new Act(Kind.AGREE, NOBODY, null));
            }
        }
        List<Act> kept = new ArrayList<>();
        boolean hasReplace = false;
        for (Act act : acts) {
            boolean isKept = act.kind() == Kind.REPLACE && !hasReplace || simulation.plans("call of " + act.kind());
            hasReplace |= act.kind() == Kind.REPLACE;
            if (isKept) {
                kept.add(act);
            }
        }
        boolean finalizes = random.chance(50);
        if (finalizes && simulation.plans("call of Finalize")) {
            kept.add(new Act(Kind.FINALIZE, NOBODY, null));
        }
        return new ReplaceProgram(List.copyOf(kept));
    }

    /** The survivors go on without the dead, whoever waits to take their places. */
    private static ReplaceProgram withoutReplace(SeededRandom random) {
        List<Act> acts = new ArrayList<>();
        for (int left = random.below(4); left > 0; left--) {
            acts.add(new Act(random.chance(50) ? Kind.AGREE : Kind.SHRINK, NOBODY, null));
        }
        acts.add(new Act(Kind.FINALIZE, NOBODY, null));
        return new ReplaceProgram(List.copyOf(acts));
    }

    /** Whether somebody commits, or sums up, when the others replace: then these begin anew. */
    boolean beginsAnew() {
        return acts.stream().anyMatch(act -> act.oddOne() != NOBODY && act.comesBack(act.oddOne()));
    }

    private int replaces() {
        int count = 0;
        for (Act act : acts) {
            count += act.kind() == Kind.REPLACE ? 1 : 0;
        }
        return count;
    }

    /** The first step of a process that comes into the world by the replace that made this epoch. */
    int firstActIn(long epoch) {
        long replaces = 0;
        for (int at = 0; at < acts.size(); at++) {
            replaces += acts.get(at).kind() == Kind.REPLACE ? 1 : 0;
            if (replaces == epoch && epoch > 0) {
                return at + 1;
            }
        }
        throw new IllegalStateException("epoch " + epoch + " of a program with " + replaces() + " replaces");
    }
}
