package org.ulfmj.sim;

import java.io.File;
import java.util.List;
import java.util.StringJoiner;

/** Names one schedule: which world, how many ranks, which seed. */
public record Schedule(Scenario scenario, int ranks, long seed) {
    /**
     * The schedule that a seed stands for in a mixed run.
     *
     * @param scenarios in the order of their names, each as often as its weight says
     */
    static Schedule of(long seed, List<Scenario> scenarios, SeedRange ranks) {
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

    public Outcome run(EventLog log) {
        return Simulation.run(scenario, seed, ranks, log);
    }

    /** The command that runs this schedule again and prints what happened. */
    public String againCommand() {
        StringJoiner classPath = new StringJoiner(File.pathSeparator);
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            if (entry.contains("ulfm-")) {
                classPath.add(entry);
            }
        }
        return "java -cp " + classPath + " " + Main.class.getName() + " re-run --scenario " + scenario.name()
                + " --ranks " + ranks + " --seed " + seed;
    }

    @Override
    public String toString() {
        return scenario.name() + ", " + ranks + " ranks, seed " + seed;
    }
}
