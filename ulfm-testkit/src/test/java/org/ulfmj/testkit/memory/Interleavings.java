package org.ulfmj.testkit.memory;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Every interleaving of a few threads with at most this many switches that nothing forces (most bugs of this kind need
 * one to three), without deaths, and with the death of one thread at each of its points.
 */
public final class Interleavings {
    /** Makes the threads of one run from scratch, and says afterwards what was wrong. */
    public interface Story {
        /** Adds the threads. */
        void tell(Interleaving run);

        /** After the run; throws if something is wrong with what came of it. */
        void check(Interleaving run);
    }

    /** Makes a story for each run. */
    public interface Stories {
        Story next();
    }

    private static final int NOBODY = -1;

    private final Stories stories;
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "interleaved");
        thread.setDaemon(true);
        return thread;
    });
    private long runs;

    public Interleavings(Stories stories) {
        this.stories = stories;
    }

    /**
     * Runs all of them.
     *
     * @param mostSwitches without a death
     * @param mostSwitchesWithDeath with the death of each of the first {@code victims} threads at each point
     * @return how many runs it were
     * @throws IllegalStateException at the first that fails, with its switches and death
     */
    public long exploreAll(int mostSwitches, int victims, int mostSwitchesWithDeath) {
        try {
            explore(mostSwitches, NOBODY, NOBODY);
            for (int victim = 0; victim < victims; victim++) {
                int deathAt = 0;
                while (explore(mostSwitchesWithDeath, victim, deathAt)) {
                    deathAt++;
                }
            }
            return runs;
        } finally {
            threads.shutdown();
        }
    }

    /** Whether the death came to pass in one of the runs, or a point that far exists. */
    private boolean explore(int mostSwitches, int victim, int deathAt) {
        boolean isReached = false;
        ArrayDeque<int[]> open = new ArrayDeque<>();
        open.add(new int[0]);
        for (int[] switches = open.pollLast(); switches != null; switches = open.pollLast()) {
            Interleaving run = new Interleaving(switches, victim, deathAt);
            one(run, switches, victim, deathAt);
            isReached |= run.points() > deathAt;
            int first = switches.length == 0 ? 0 : switches[switches.length - 1] + 1;
            for (int point = first; switches.length < mostSwitches && point < run.points(); point++) {
                int[] more = Arrays.copyOf(switches, switches.length + 1);
                more[switches.length] = point;
                open.addLast(more);
            }
        }
        return isReached;
    }

    private void one(Interleaving run, int[] switches, int victim, int deathAt) {
        runs++;
        Story story = stories.next();
        try {
            story.tell(run);
            run.run(threads);
            story.check(run);
        } catch (RuntimeException | Error e) {
            throw new IllegalStateException(
                    "run " + runs + ", switches at " + Arrays.toString(switches)
                            + (victim < 0 ? "" : ", thread " + victim + " dies at " + deathAt) + ": " + e.getMessage(),
                    e);
        }
    }
}
