package org.ulfmj.testkit.junit;

import org.ulfmj.testkit.RankMain;

/** Runs a program under one seed after the other, up to the first that fails. */
final class SeedRunner {
    private static final int TWICE_EVERY = 10;
    private static final long NS_A_SECOND = 1_000_000_000;

    private final SimulationSettings settings;
    private final Simulator simulator;
    private final Program program;

    /** The main of a rank, which gets the {@link SimulatedRank} that {@link SimulatedMpi} promises. */
    @FunctionalInterface
    interface Program {
        void run(SimulatedRank rank) throws Exception;
    }

    /** A run, and why it counts as failed; null if it did not fail. */
    record Judged(SimulatedRun run, Failure failure) {}

    SeedRunner(SimulationSettings settings, Simulator simulator, Program program) {
        this.settings = settings;
        this.simulator = simulator;
        this.program = program;
    }

    /** @throws AssertionError for the first seed that fails, or whose two runs differ */
    void run() {
        for (int i = 0; i < settings.seeds(); i++) {
            long seed = settings.firstSeed() + i;
            Judged first = first(seed);
            Judged failed = first;
            boolean twice = first.failure() != null || i % TWICE_EVERY == 0;
            if (twice && !first.run().isCutShort()) {
                Judged second = judge(settings.ranks(), seed, settings.faults());
                if (first.run().differsFrom(second.run())) {
                    throw new AssertionError(
                            new SeedFailureText(settings, seed).ofDifference(first, second, difference(seed)));
                }
                failed = first.failure() == null ? second : first;
            }
            if (failed.failure() != null) {
                throw new AssertionError(explain(seed, failed), failed.failure().cause());
            }
        }
    }

    private Judged first(long seed) {
        try {
            return judge(settings.ranks(), seed, settings.faults());
        } catch (IllegalArgumentException noPlan) {
            throw settings.refused(noPlan);
        }
    }

    private String difference(long seed) {
        return simulator.difference(settings.ranks(), seed, settings.faults(), () -> main(new RankContext(seed)));
    }

    private Judged judge(int ranks, long seed, String faults) {
        RankContext context = new RankContext(seed);
        SimulatedRun run = simulator.run(ranks, seed, faults, main(context));
        return new Judged(run, Failure.of(run, context.results(), settings));
    }

    private RankMain main(RankContext context) {
        return () -> program.run(context);
    }

    private String explain(long seed, Judged failed) {
        ProgramMinimiser.Case whole = new ProgramMinimiser.Case(
                seed,
                settings.ranks(),
                failed.run().faults().stream().map(PlannedFault::of).toList());
        ProgramMinimiser minimiser = new ProgramMinimiser(
                whole,
                failed.failure(),
                candidate -> judge(candidate).failure(),
                System::nanoTime,
                settings.minimiseSeconds() * NS_A_SECOND);
        ProgramMinimiser.Case small = minimiser.search();
        Judged smallRun = judge(small);
        if (smallRun.failure() == null) { // as may be with a program that is not deterministic
            smallRun = failed;
        }
        return new SeedFailureText(settings, seed).ofFailure(failed, small, smallRun, minimiser.runs());
    }

    private Judged judge(ProgramMinimiser.Case candidate) {
        return judge(candidate.ranks(), candidate.seed(), PlannedFault.plan(candidate.faults()));
    }
}
