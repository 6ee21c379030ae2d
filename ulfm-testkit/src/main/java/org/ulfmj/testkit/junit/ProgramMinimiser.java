package org.ulfmj.testkit.junit;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongSupplier;

/**
 * Looks for a smaller case in which a program fails in the same way: fewer faults, then fewer ranks, then earlier
 * faults, again and again while that helps and time is left. A smaller case means another schedule, so each case is
 * tried with some other seeds as well.
 */
final class ProgramMinimiser {
    private static final int OTHER_SEEDS = 20;

    private final Trial trial;
    private final Failure failure;
    private final LongSupplier clockNs;
    private final long untilNs;
    private Case best;
    private int runs;

    /** Runs a case. Returns why it fails; null if it does not fail. */
    @FunctionalInterface
    interface Trial {
        Failure run(Case candidate);
    }

    /** A seed, a number of ranks and a plan of faults, with which the program may be run. */
    record Case(long seed, int ranks, List<PlannedFault> faults) {
        Case with(long newSeed) {
            return new Case(newSeed, ranks, faults);
        }

        Case with(int newRanks, List<PlannedFault> newFaults) {
            return new Case(seed, newRanks, List.copyOf(newFaults));
        }
    }

    ProgramMinimiser(Case failing, Failure failure, Trial trial, LongSupplier clockNs, long budgetNs) {
        this.best = failing;
        this.failure = failure;
        this.trial = trial;
        this.clockNs = clockNs;
        this.untilNs = clockNs.getAsLong() + budgetNs;
    }

    /** Returns the smallest case that was found, perhaps the given one. */
    Case search() {
        boolean helped = true;
        while (helped) {
            helped = dropFaults();
            helped |= dropRanks();
            helped |= hasten();
        }
        return best;
    }

    /** Returns how many cases the search has tried to run so far. */
    int runs() {
        return runs;
    }

    private boolean dropFaults() {
        boolean helped = false;
        for (int i = 0; i < best.faults().size(); ) {
            List<PlannedFault> fewer = new ArrayList<>(best.faults());
            fewer.remove(i);
            if (fails(best.with(best.ranks(), fewer))) {
                helped = true;
            } else {
                i++;
            }
        }
        return helped;
    }

    /**
     * Tries fewer ranks. If the case has faults, the program must end well with these ranks and no faults; otherwise it
     * would fail for another reason.
     */
    private boolean dropRanks() {
        for (int ranks = Math.max(2, best.faults().size() + 1); ranks < best.ranks(); ranks++) {
            List<PlannedFault> moved = moved(ranks);
            if (isTimeLeft() && isRightWithoutFaults(ranks) && fails(best.with(ranks, moved))) {
                return true;
            }
        }
        return false;
    }

    /**
     * Whether the program ends well with this number of ranks and no faults. True without a run if the best case has no
     * faults: such a case may fail with any number of ranks.
     */
    private boolean isRightWithoutFaults(int ranks) {
        return best.faults().isEmpty() || run(best.with(ranks, List.of())) == null;
    }

    /**
     * Returns the faults of the best case, of which those at ranks from this number on are moved to lower ranks. Faults
     * at different ranks stay at different ranks.
     */
    private List<PlannedFault> moved(int ranks) {
        Set<Integer> taken = new TreeSet<>();
        for (PlannedFault rule : best.faults()) {
            taken.add(rule.rank());
        }
        List<PlannedFault> moved = new ArrayList<>();
        for (PlannedFault rule : best.faults()) {
            int rank = rule.rank();
            for (int free = ranks - 1; free >= 0 && rank >= ranks; free--) {
                rank = taken.add(free) ? free : rank;
            }
            moved.add(rank == rule.rank() ? rule : rule.hitting(rank));
        }
        return moved;
    }

    /** Tries faults that come earlier, by call, frame, byte or time, or last less long. */
    private boolean hasten() {
        boolean helped = false;
        for (int i = 0; i < best.faults().size(); i++) {
            while (hasten(i)) {
                helped = true;
            }
        }
        return helped;
    }

    private boolean hasten(int index) {
        PlannedFault rule = best.faults().get(index);
        for (PlannedFault smaller : rule.smaller()) {
            List<PlannedFault> earlier = new ArrayList<>(best.faults());
            earlier.set(index, smaller);
            if (fails(best.with(best.ranks(), earlier))) {
                return true;
            }
        }
        return false;
    }

    /**
     * Runs the case with its seed, then with up to 20 others, until it fails in the same way or the time is over. If it
     * fails so, the case with that seed is the best one from now on, and the result is true.
     */
    private boolean fails(Case candidate) {
        for (long other = 0; other <= OTHER_SEEDS && isTimeLeft(); other++) {
            Case tried = other == 0 ? candidate : candidate.with(other);
            if (failure.isLike(run(tried))) {
                best = tried;
                return true;
            }
        }
        return false;
    }

    private Failure run(Case candidate) {
        runs++;
        try {
            return trial.run(candidate);
        } catch (IllegalArgumentException namesARankThatIsNotThere) {
            return null;
        }
    }

    private boolean isTimeLeft() {
        return clockNs.getAsLong() - untilNs < 0;
    }
}
