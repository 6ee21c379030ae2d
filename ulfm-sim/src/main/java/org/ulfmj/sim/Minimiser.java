package org.ulfmj.sim;

/**
 * Looks for a smaller schedule that fails in the same way. First it tries fewer ranks, from 2 upwards, each number with
 * the same seed and then with some seeds after it, until a schedule fails in the same way. Then it leaves out the items
 * of the plan one by one, again and again until no further item can be left out.
 */
public final class Minimiser {
    /** The most seeds that are tried for one number of ranks, beginning with the seed of the failed schedule. */
    private static final int SEEDS_A_SIZE = 3_000;

    private final String kind;
    private long tried;

    /** @param kind the kind of violation ({@link Violation#kind}) that every smaller schedule must show, too */
    public Minimiser(String kind) {
        this.kind = kind;
    }

    /** Runs a schedule. Returns its violation, or null if it broke no invariant. */
    public static Violation violationOf(Schedule schedule) {
        return schedule.run(EventLog.hashing()).violation();
    }

    /** Returns how often this object has run a schedule so far; a schedule that ran twice counts twice. */
    public long tried() {
        return tried;
    }

    public Schedule minimise(Schedule failing) {
        return withFewerItems(withFewerRanks(failing));
    }

    private Schedule withFewerRanks(Schedule failing) {
        for (int ranks = 2; ranks < failing.ranks(); ranks++) {
            for (int more = 0; more < SEEDS_A_SIZE; more++) {
                Schedule smaller = new Schedule(failing.scenario(), ranks, failing.seed() + more);
                if (outcome(smaller) != null) {
                    return smaller;
                }
            }
        }
        return failing;
    }

    private Schedule withFewerItems(Schedule failing) {
        Schedule smallest = failing;
        boolean goesOn = true;
        while (goesOn) {
            goesOn = false;
            Outcome outcome = outcome(smallest);
            for (int item = outcome == null ? 0 : outcome.items(); item > 0; item--) {
                if (smallest.edits().without().contains(item)) {
                    continue;
                }
                Edits fewer = smallest.edits().and(item);
                if (outcome(smallest.with(fewer)) != null) {
                    smallest = smallest.with(fewer);
                    goesOn = true;
                }
            }
        }
        return smallest;
    }

    /**
     * Runs a schedule. Returns its outcome if it fails in the same way as the schedule to be made smaller, else null.
     */
    private Outcome outcome(Schedule schedule) {
        tried++;
        Outcome outcome = schedule.run(EventLog.hashing());
        boolean same = outcome.violation() != null && outcome.violation().kind().equals(kind);
        return same ? outcome : null;
    }
}
