package org.ulfmj.check.grow;

import java.util.ArrayList;
import java.util.List;
import org.ulfmj.agree.message.Kind;
import org.ulfmj.sim.SeededRandom;
import org.ulfmj.sim.Simulation;

/**
 * The program of the ranks of one schedule: one to four grows, after each perhaps an agreement, a shrink or a replace,
 * and Finalize or nothing at the end.
 *
 * @param most the most members that joiners may bring the world to
 */
public record GrowProgram(List<Act> acts, int most) {
    /** Stands for no process. */
    public static final int NO_SLOT = -1;

    private static final Kind[] BETWEEN = {Kind.AGREE, Kind.AGREE, Kind.SHRINK, Kind.REPLACE};
    private static final Kind[] ODD = {Kind.AGREE, Kind.SHRINK, Kind.REPLACE, Kind.FINALIZE, Kind.COMMIT};

    /**
     * One collective step of the program.
     *
     * @param oddOne slot whose process calls {@code oddKind} instead of {@code kind}, or {@link #NO_SLOT}
     */
    public record Act(Kind kind, int oddOne, Kind oddKind) {
        /** Returns the kind of call that the process in a slot makes. */
        public Kind kindOf(int slot) {
            return slot == oddOne ? oddKind : kind;
        }
    }

    /** @param joiners how many processes want to join */
    public static GrowProgram draw(SeededRandom random, Simulation simulation, int joiners) {
        List<Act> acts = new ArrayList<>();
        for (int left = 1 + random.below(4); left > 0; left--) {
            int oddOne = random.below(simulation.ranks());
            Kind oddKind = ODD[random.below(ODD.length)];
            boolean isOdd = random.chance(8) && simulation.plans(oddKind + " by " + oddOne + " instead of a grow");
            acts.add(new Act(Kind.GROW, isOdd ? oddOne : NO_SLOT, isOdd ? oddKind : null));
            Kind between = BETWEEN[random.below(BETWEEN.length)];
            if (random.chance(60) && simulation.plans("call of " + between)) {
                acts.add(new Act(between, NO_SLOT, null));
            }
        }
        if (random.chance(50) && simulation.plans("call of Finalize")) {
            acts.add(new Act(Kind.FINALIZE, NO_SLOT, null));
        }
        int most = simulation.ranks() + (random.chance(50) ? joiners : random.below(joiners + 1));
        return new GrowProgram(List.copyOf(acts), most);
    }

    /** Whether some process makes another call than the others. */
    public boolean isMixed() {
        return acts.stream().anyMatch(act -> act.oddOne() != NO_SLOT);
    }
}
