package org.ulfmj.sim.mutant;

import org.ulfmj.sim.Scenarios;
import org.ulfmj.sim.SeedRange;
import org.ulfmj.sim.SeedReport;
import org.ulfmj.sim.SeedRun;

/** Runs seeds against a mutant until one breaks something. */
public final class Hunt {
    private Hunt() {}

    /**
     * Runs the scenarios in the mutant's world.
     *
     * @return the first failure as text, empty if all seeds passed
     */
    public static String hunt(MutantLoader mutant, String scenarios, String ranks, String seeds) {
        return (String) mutant.call(Hunt.class.getName(), "huntHere", scenarios, ranks, seeds);
    }

    /** For {@link #hunt}: the same in the world of this class. */
    public static String huntHere(String scenarios, String ranks, String seeds) throws InterruptedException {
        SeedReport report = new SeedRun(
                        Scenarios.named(scenarios), SeedRange.parse("ranks", ranks), SeedRange.parse("seeds", seeds), 1)
                .run(2);
        return report.failures().isEmpty()
                ? ""
                : report.schedules() + " schedules: " + report.failures().get(0);
    }
}
