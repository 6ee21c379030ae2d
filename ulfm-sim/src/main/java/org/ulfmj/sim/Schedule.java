package org.ulfmj.sim;

import java.util.List;

/**
 * Names one schedule: which world, how many ranks, which seed, and what is left out of what the seed has planned. Nothing
 * else has a say in what happens.
 */
public record Schedule(Scenario scenario, int ranks, long seed, Edits edits) {
    public Schedule(Scenario scenario, int ranks, long seed) {
        this(scenario, ranks, seed, Edits.NONE);
    }

    /**
     * The schedule that a seed stands for in a mixed run.
     *
     * @param scenarios in the order of their names, each as often as its weight says
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

    /** The command that runs this schedule again and prints what happened. */
    public String againCommand() {
        return "bin/ulfm-sim re-run " + arguments();
    }

    /** The command that looks for a smaller schedule that fails in the same way. */
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
