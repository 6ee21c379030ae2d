package org.ulfmj.sim;

import java.util.List;

/**
 * Names one schedule: its scenario, number of ranks, seed, and the items of the plan that are left out. These alone
 * decide what happens.
 */
public record Schedule(Scenario scenario, int ranks, long seed, Edits edits) {
    private static final String WITHOUT = "without=";

    public Schedule(Scenario scenario, int ranks, long seed) {
        this(scenario, ranks, seed, Edits.NONE);
    }

    /** Reads {@code replace 3 1817 without=3,4}; the last part may be missing. */
    public static Schedule parse(String text) {
        String[] fields = text.trim().split("\\s+");
        boolean isWhole = fields.length == 3;
        if (!isWhole && !(fields.length == 4 && fields[3].startsWith(WITHOUT))) {
            throw new IllegalArgumentException(text + ": wants protocol, ranks, seed and perhaps " + WITHOUT + "2,5");
        }
        Schedule whole =
                new Schedule(Scenarios.named(fields[0]).get(0), Integer.parseInt(fields[1]), Long.parseLong(fields[2]));
        return isWhole ? whole : whole.with(Edits.parse(WITHOUT, fields[3].substring(WITHOUT.length())));
    }

    /**
     * Returns the schedule that a seed stands for in a mixed run.
     *
     * @param scenarios each listed once; one of weight n is drawn n times as often as one of weight 1
     */
    public static Schedule of(long seed, List<Scenario> scenarios, SeedRange ranks) {
        SeededRandom random = SeededRandom.of(seed, "schedule");
        int weights = 0;
        for (Scenario scenario : scenarios) {
            weights += scenario.weight();
        }
        int draw = random.below(weights);
        int chosen = 0;
        while (draw >= scenarios.get(chosen).weight()) {
            draw -= scenarios.get(chosen++).weight();
        }
        return new Schedule(scenarios.get(chosen), (int) random.between(ranks.first(), ranks.last()), seed);
    }

    public Schedule with(Edits other) {
        return new Schedule(scenario, ranks, seed, other);
    }

    public Outcome run(EventLog log) {
        return Simulation.run(this, log);
    }

    /** Returns the command that runs this schedule again and prints what happened. */
    public String againCommand() {
        return "bin/ulfm-sim re-run " + arguments();
    }

    /** Returns the command that looks for a smaller schedule that fails in the same way. */
    public String minimiseCommand() {
        return "bin/ulfm-sim minimise " + arguments();
    }

    private String arguments() {
        return "--protocol " + scenario.name() + " --ranks " + ranks + " --seed " + seed
                + (edits.without().isEmpty() ? "" : " --without " + edits);
    }

    @Override
    public String toString() {
        return scenario.name() + ", " + ranks + " ranks, seed " + seed
                + (edits.without().isEmpty() ? "" : " without " + edits);
    }
}
