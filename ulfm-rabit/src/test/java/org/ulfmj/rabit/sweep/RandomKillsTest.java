package org.ulfmj.rabit.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import java.util.StringJoiner;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.ulfmj.testkit.RankEnd;
import org.ulfmj.testkit.sim.SimResult;

/**
 * Up to four kills in each run, drawn at random (rank, version, number of the operation, how often the rank has died
 * before). So newcomers may die while they catch up, and other ranks may die meanwhile. The model is that of the run
 * without a failure, to the bit, and no rank hangs. {@code -Dkills.runs=10000} makes 10,000 runs per test.
 */
class RandomKillsTest {
    private static final int RANKS = 5;
    private static final int OPERATIONS = 3;
    private static final int RESTARTS = 4;
    private static final int MOST_KILLS = 4;
    private static final long RUNS = Long.getLong("kills.runs", 150);
    private static final long DRAWN_FIRST = Long.getLong("drawn.first", 1);
    private static final long FIRST = Long.getLong("kills.first", 1);

    /**
     * Draws the kills of a run, as rules for the recovery mode; some are for a process that replaced another. At least
     * one rank is never killed.
     */
    private static String faults(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int spared = random.nextInt(RANKS);
        StringJoiner faults = new StringJoiner("; ");
        for (int kills = random.nextInt(1, MOST_KILLS + 1); kills > 0; kills--) {
            int rank = (spared + random.nextInt(1, RANKS)) % RANKS;
            int version = random.nextInt(VersionsProgram.VERSIONS);
            int sequence = random.nextInt(OPERATIONS + 1);
            int trial = random.nextInt(3) / 2;
            faults.add("mock=" + rank + "," + version + "," + sequence + "," + trial);
        }
        return faults.toString();
    }

    @Test
    void shouldHaveTheSameModelUnderAnyDeaths() {
        killFrom(FIRST);
    }

    /** Runs the seeds from {@code -Ddrawn.first} on; from 1 on without that property. */
    @Test
    void shouldHaveTheSameModelInRunsThatNoBuildHadBefore() {
        killFrom(DRAWN_FIRST);
    }

    private static void killFrom(long first) {
        VersionsProgram clean = new VersionsProgram(RANKS, OPERATIONS);
        clean.run(RESTARTS, 0, "");
        AtomicInteger deaths = new AtomicInteger();
        LongStream.range(first, first + RUNS).parallel().forEach(seed -> {
            VersionsProgram program = new VersionsProgram(RANKS, OPERATIONS);
            String faults = faults(seed);
            try {
                SimResult result = program.run(RESTARTS, seed, faults);
                program.check(result.ends(), clean.model());
                deaths.addAndGet(result.ends().processes(RankEnd.KILLED).size());
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError("seed " + seed + ", faults \"" + faults + "\": " + e.getMessage(), e);
            }
        });
        System.out.println(RUNS + " runs, seeds from " + first + ", " + deaths + " deaths");
        assertThat(deaths).hasPositiveValue();
    }
}
