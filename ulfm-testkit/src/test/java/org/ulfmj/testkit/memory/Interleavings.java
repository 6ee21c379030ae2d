package org.ulfmj.testkit.memory;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Runs every interleaving of a few threads with at most a given number of switches at points where a thread need not
 * wait, without deaths, and with the death of one thread at each of its points.
 */
public final class Interleavings {
    /** Gives one run its threads and memory, and checks the outcome afterwards. */
    public interface Story {
        /** Adds the threads. */
        void tell(Interleaving run);

        /** Is called after the run; throws if the outcome is wrong. */
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
     * Runs all interleavings.
     *
     * @param mostSwitches the most switches in runs without a death
     * @param mostSwitchesWithDeath the most switches in runs in which one of the first {@code victims} threads dies, at
     *     each point in turn
     * @return the number of runs
     * @throws IllegalStateException at the first run that fails, with its switches and its death
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

    /**
     * Runs all interleavings with this death and at most {@code mostSwitches} switches, and returns whether one of them
     * had more points than {@code deathAt}, so that a later death is to be tried as well.
     */
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
