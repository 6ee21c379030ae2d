package org.ulfmj.check.replace;

import java.util.ArrayList;
import java.util.List;
import org.ulfmj.agree.message.Kind;
import org.ulfmj.sim.SeededRandom;
import org.ulfmj.sim.Simulation;

/**
 * The program of the ranks of one schedule: one to three replaces, with agreements before and after some of them, and
 * Finalize or nothing at the end (in a few schedules no replace, but agreements, shrinks and Finalize); and the calls
 * besides the program on duplicates of worlds. A newcomer begins the program after the replace that admitted it; its
 * epoch shows which one that is.
 */
public record ReplaceProgram(
        List<Act> acts, List<List<Kind>> besides, int revokePercent, int clumsySlot, int clumsyEpoch) {
    /** Stands for no process. */
    public static final int NO_SLOT = -1;

    /**
     * One collective step of the program.
     *
     * @param oddOne slot whose process calls {@code oddKind} instead of {@code kind}, or before it if the process
     *     {@code comesBack}; or {@link #NO_SLOT}
     */
    public record Act(Kind kind, int oddOne, Kind oddKind) {
        /**
         * Returns the kind of the first call that the process in a slot makes in this step: {@code oddKind} for the odd
         * one, {@code kind} for all others.
         */
        Kind kindOf(int slot) {
            return slot == oddOne ? oddKind : kind;
        }

        /**
         * Whether the process in a slot first makes a call of the recovery mode, and only then calls the replace in
         * which the others are.
         */
        boolean comesBack(int slot) {
            return slot == oddOne && (oddKind == Kind.COMMIT || oddKind == Kind.SUMMARY);
        }
    }

    private static final int MOST_REPLACES = 3;
    private static final Kind[] BESIDES = {
        Kind.AGREE, Kind.IAGREE, Kind.IAGREE, Kind.AGREE_UNIFORM, Kind.COMMIT, Kind.AGREE_FAILED, Kind.SHRINK
    };
    private static final Kind[] ODD = {Kind.AGREE, Kind.SHRINK, Kind.FINALIZE, Kind.COMMIT, Kind.SUMMARY};

    public static ReplaceProgram draw(SeededRandom random, Simulation simulation) {
        if (random.chance(6)) {
            return withoutReplace(random, simulation);
        }
        List<Act> acts = new ArrayList<>();
        for (int left = 1 + random.below(3); left > 0; left--) {
            if (random.chance(30)) {
                acts.add(new Act(Kind.AGREE, NO_SLOT, null));
            }
            boolean isOdd = random.chance(12);
            int oddOne = random.below(simulation.ranks());
            Kind oddKind = ODD[random.below(ODD.length)];
            acts.add(
                    isOdd && simulation.plans(oddKind + " by " + oddOne + " instead of a replace")
                            ? new Act(Kind.REPLACE, oddOne, oddKind)
                            : new Act(Kind.REPLACE, NO_SLOT, null));
            if (random.chance(70)) {
                acts.add(new Act(Kind.AGREE, NO_SLOT, null));
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
            kept.add(new Act(Kind.FINALIZE, NO_SLOT, null));
        }
        return of(kept, simulation);
    }

    /**
     * Draws a program without a replace: agreements and shrinks, then Finalize. The survivors go on without the dead.
     */
    private static ReplaceProgram withoutReplace(SeededRandom random, Simulation simulation) {
        List<Act> acts = new ArrayList<>();
        for (int left = random.below(4); left > 0; left--) {
            acts.add(new Act(random.chance(50) ? Kind.AGREE : Kind.SHRINK, NO_SLOT, null));
        }
        acts.add(new Act(Kind.FINALIZE, NO_SLOT, null));
        return of(acts, simulation);
    }

    private static ReplaceProgram of(List<Act> acts, Simulation simulation) {
        SeededRandom random = simulation.random("besides");
        boolean hasAny = random.chance(60);
        List<List<Kind>> besides = new ArrayList<>();
        for (int epoch = 0; epoch <= MOST_REPLACES; epoch++) {
            List<Kind> calls = new ArrayList<>();
            int count = random.below(5);
            for (int left = count; left > 0; left--) {
                calls.add(BESIDES[random.below(BESIDES.length)]);
            }
            boolean isPlanned =
                    hasAny && count > 0 && simulation.plans("beside the world of epoch " + epoch + ": " + calls);
            besides.add(isPlanned ? List.copyOf(calls) : List.of());
        }
        boolean revokes = random.chance(50) && simulation.plans("revocations");
        int clumsySlot = random.below(simulation.ranks());
        int clumsyEpoch = random.below(MOST_REPLACES + 1);
        boolean isClumsy = hasAny
                && random.chance(15)
                && simulation.plans("slot " + clumsySlot + " cannot build beside the world of epoch " + clumsyEpoch);
        return new ReplaceProgram(
                List.copyOf(acts),
                List.copyOf(besides),
                revokes ? 25 : 0,
                isClumsy ? clumsySlot : NO_SLOT,
                clumsyEpoch);
    }

    /** Returns the calls on the duplicate that is made of the world of an epoch; empty if no duplicate is made. */
    List<Kind> besidesOf(long epoch) {
        return besides.get((int) epoch);
    }

    boolean failsToMake(int slot, long epoch) {
        return slot == clumsySlot && epoch == clumsyEpoch;
    }

    /**
     * Whether a process makes a call of the recovery mode while the others replace, so that their replace begins anew.
     */
    public boolean beginsAnew() {
        return acts.stream().anyMatch(act -> act.oddOne() != NO_SLOT && act.comesBack(act.oddOne()));
    }

    public int replaces() {
        int count = 0;
        for (Act act : acts) {
            count += act.kind() == Kind.REPLACE ? 1 : 0;
        }
        return count;
    }

    /**
     * Returns the place of the program at which a process begins that is admitted by the replace that made this epoch.
     */
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
