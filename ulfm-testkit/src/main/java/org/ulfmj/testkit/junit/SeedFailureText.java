package org.ulfmj.testkit.junit;

import java.util.List;
import org.ulfmj.testkit.RankOutcome;

/** Makes the text that a developer reads when a seed has failed. */
final class SeedFailureText {
    private final SimulationSettings settings;
    private final long seed;
    private final StringBuilder text = new StringBuilder();

    SeedFailureText(SimulationSettings settings, long seed) {
        this.settings = settings;
        this.seed = seed;
    }

    /**
     * @param small the smallest case found in which the program fails in the same way; the failed case if none is
     *     smaller
     * @param smallRun a run in which the program failed in the same way
     * @param runs how often the search for that case ran the program
     */
    String ofFailure(SeedRunner.Judged failed, ProgramMinimiser.Case small, SeedRunner.Judged smallRun, int runs) {
        line("seed " + seed + " of " + range() + " fails: " + failed.failure().headline());
        line("  faults     " + plan(failed.run().faults()) + drawnFrom());
        line("  run it     " + command(seed, ""));
        boolean isSmaller = small.ranks() < settings.ranks()
                || !PlannedFault.plan(small.faults())
                        .equals(String.join("; ", failed.run().faults()));
        if (!isSmaller) {
            line("  minimised  no smaller case was found in " + count(runs, "run"));
            ranks(failed.run());
            return text.toString();
        }
        String smallPlan = PlannedFault.plan(small.faults());
        line("  minimised  " + (smallPlan.isEmpty() ? "without faults" : smallPlan) + ", "
                + count(small.ranks(), "rank") + ", seed " + small.seed() + " (" + count(runs, "run") + ")");
        line("  run that   "
                + command(
                        small.seed(),
                        (small.ranks() == settings.ranks() ? "" : " -Dsim.ranks=" + small.ranks()) + " -Dsim.faults='"
                                + smallPlan + "'"));
        if (!smallRun.failure().headline().equals(failed.failure().headline())) {
            line("  there      " + smallRun.failure().headline());
        }
        ranks(smallRun.run());
        return text.toString();
    }

    /** Returns the text for a seed whose two runs were not the same. */
    String ofDifference(SeedRunner.Judged first, SeedRunner.Judged second, String difference) {
        line("seed " + seed + " of " + range() + " ran twice and was not the same:"
                + " the program is not deterministic");
        line("  faults     " + plan(first.run().faults()) + drawnFrom());
        line("  run it     " + command(seed, ""));
        line("  first run  " + verdict(first));
        line("  second run " + verdict(second));
        difference.lines().forEach(one -> line("  " + one));
        line("  SimulatedRank.random() and MPI.wtime() follow from the seed.");
        return text.toString();
    }

    private static String verdict(SeedRunner.Judged judged) {
        return "log " + judged.run().logHash() + ", "
                + (judged.failure() == null ? "right" : judged.failure().headline());
    }

    private void ranks(SimulatedRun run) {
        for (SimulatedRun.OneProcess process : run.processes()) {
            RankOutcome outcome = process.outcome();
            line("  rank " + process.id() + "     "
                    + (outcome == null ? "has not ended" : inOneLine(outcome.toString())));
            line("    did last " + String.join(", ", process.lastOperations()));
        }
        if (run.hang() != null) {
            line("  who waits for whom");
            run.hang().lines().forEach(one -> line("    " + one));
        }
    }

    private static String inOneLine(String many) {
        return many.strip().replaceAll("\\s+", " ");
    }

    private String command(long ofSeed, String more) {
        return "mvn test -Dtest='" + settings.where() + "' -Dsim.seed=" + ofSeed + more;
    }

    private String range() {
        return settings.isOneSeed() || settings.seeds() == 1
                ? "1"
                : settings.firstSeed() + ".." + (settings.firstSeed() + settings.seeds() - 1);
    }

    private String drawnFrom() {
        return settings.faults().isBlank() ? "" : "   (drawn from \"" + settings.faults() + "\")";
    }

    private static String plan(List<String> faults) {
        return faults.isEmpty() ? "none" : String.join("; ", faults);
    }

    private static String count(int number, String what) {
        return number + " " + what + (number == 1 ? "" : "s");
    }

    private void line(String line) {
        text.append(line.stripTrailing()).append('\n');
    }
}
