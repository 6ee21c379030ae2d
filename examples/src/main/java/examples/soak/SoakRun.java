package examples.soak;

import examples.soak.RankStatus.Field;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** One run: a job, its planned deaths, and whether the outcome is right. */
final class SoakRun {
    /** The detector's timeout in runs that stop ranks. */
    static final Duration STOP_TIMEOUT = Duration.ofSeconds(1);

    private static final Duration START_LIMIT = Duration.ofSeconds(40);
    private static final Duration HANG_LIMIT = Duration.ofSeconds(15);
    private static final long LOOK_NS = 20_000;
    private static final long SPIN_NS = 200_000;
    private static final int KILLED = 128 + 9;

    private final SoakOptions options;
    private final long seed;
    private final List<StrikePlan.Death> plan;
    private final SoakJob job;
    private final List<Strike> strikes = new ArrayList<>();
    private final List<String> problems = new ArrayList<>();
    private boolean hung;

    private SoakRun(SoakOptions options, long seed, SoakJob job) {
        this.options = options;
        this.seed = seed;
        this.job = job;
        plan = StrikePlan.of(options, seed);
    }

    /** Runs a job until it ends, or ends it if it hangs. All its files are in the directory. */
    static SoakRun of(SoakOptions options, Path home, Path directory, long seed) throws IOException {
        Files.createDirectories(directory);
        SoakRun run = new SoakRun(options, seed, new SoakJob(home, directory, options, seed));
        run.strike();
        run.awaitEnd();
        run.judge();
        if (!run.problems.isEmpty()) {
            Files.writeString(directory.resolve("report"), run + "\n");
        }
        return run;
    }

    boolean isRight() {
        return problems.isEmpty();
    }

    boolean isHung() {
        return hung;
    }

    List<Strike> strikes() {
        return strikes;
    }

    /** The sum of a field over all ranks. */
    long total(Field field) {
        long total = 0;
        for (int rank = 0; rank < options.ranks(); rank++) {
            total += job.rank(rank).get(field);
        }
        return total;
    }

    private void strike() {
        long giveUpNs = System.nanoTime() + START_LIMIT.toNanos();
        for (StrikePlan.Death death : plan) {
            RankStatus victim = job.rank(death.victim());
            while (!isDue(death, victim)) {
                if (!job.isRunning() || System.nanoTime() - giveUpNs > 0) {
                    problems.add("this never came to pass: " + death);
                    return;
                }
                LockSupport.parkNanos(LOOK_NS);
            }
            long atNs = pause(death.delayNs());
            if (options.fault() == SoakOptions.Fault.STOP) {
                RankSignals.send("STOP", victim.get(Field.PID));
            } else {
                RankSignals.kill(victim.get(Field.PID));
            }
            strikes.add(new Strike(death, victim.get(Field.PID), atNs, victim));
        }
    }

    private boolean isDue(StrikePlan.Death death, RankStatus victim) {
        if (victim.get(Field.PID) == 0) {
            return false;
        }
        return death.call() == StrikePlan.FINALIZE
                ? victim.call().compareTo(SoakCall.FINALIZE) >= 0
                : victim.get(Field.CALLS) >= death.call();
    }

    /** Waits for this time, spinning at its end to be exact. Returns the {@link System#nanoTime} at the end. */
    private static long pause(long delayNs) {
        long untilNs = System.nanoTime() + delayNs;
        if (delayNs > SPIN_NS) {
            LockSupport.parkNanos(delayNs - SPIN_NS);
        }
        long nowNs = System.nanoTime();
        while (nowNs - untilNs < 0) {
            Thread.onSpinWait();
            nowNs = System.nanoTime();
        }
        return nowNs;
    }

    /**
     * Waits for the end of the job for as long as its ranks make calls; only if no rank makes any for the limit is it a
     * hang, since a busy machine makes ranks slow. A job that hangs is ended.
     */
    private void awaitEnd() {
        long calls = total(Field.CALLS);
        while (!job.awaitEnd(allowedNs() + HANG_LIMIT.toNanos())) {
            long before = calls;
            calls = total(Field.CALLS);
            if (calls == before) {
                hung = true;
                problems.add("no rank has made a call for " + (allowedNs() + HANG_LIMIT.toNanos()) / 1_000_000 + " ms");
                job.dumpThreads();
                job.end();
                return;
            }
        }
    }

    private Set<Integer> victims() {
        return plan.stream().map(StrikePlan.Death::victim).collect(Collectors.toSet());
    }

    private long allowedNs() {
        long silenceNs = options.fault() == SoakOptions.Fault.STOP ? STOP_TIMEOUT.toNanos() : 0;
        return silenceNs + options.limitMs() * 1_000_000;
    }

    private void judge() throws IOException {
        int code = job.exitCode();
        boolean mayBeKilled = options.fault() == SoakOptions.Fault.KILL_IN_FINALIZE;
        if (code != 0 && !(mayBeKilled && code == KILLED)) {
            problems.add("mpiexec ended with " + code);
        }
        long victims = 0;
        for (StrikePlan.Death death : plan) {
            victims |= 1L << death.victim();
        }
        for (int rank = 0; rank < options.ranks(); rank++) {
            if ((victims >> rank & 1) == 0) {
                judgeSurvivor(rank, victims);
            }
        }
        if (recoveryNs() > allowedNs()) {
            problems.add(String.format(Locale.ROOT, "recovery took %.1f ms", recoveryNs() / 1e6));
        }
        try (Stream<String> lines = Files.lines(job.err())) {
            lines.filter(line -> line.contains("broken invariant") || line.contains("soak failed"))
                    .forEach(problems::add);
        }
    }

    private void judgeSurvivor(int rank, long victims) {
        RankStatus status = job.rank(rank);
        if (status.get(Field.FINALIZED_NS) == 0) {
            problems.add("rank " + rank + " has not finalized: " + status);
        }
        long accused = status.get(Field.FAILED) & ~victims;
        if (accused != 0) {
            problems.add("rank " + rank + " held ranks for failed that were not struck: bits "
                    + Long.toBinaryString(accused));
        }
    }

    /**
     * The time from the last death until the last survivor was at work again, or, for deaths in Finalize, until it had
     * finalized, without survivors that never did; 0 if all had done it before that death, or there was no death.
     */
    long recoveryNs() {
        return lastNs(options.fault() == SoakOptions.Fault.KILL_IN_FINALIZE ? Field.FINALIZED_NS : Field.RECOVERED_NS);
    }

    /**
     * The time from the last death until the last survivor noted this field, without survivors that never did; 0 if all
     * had noted it before, or there was no death.
     */
    private long lastNs(Field time) {
        if (strikes.isEmpty()) {
            return 0;
        }
        long struckNs = strikes.get(strikes.size() - 1).atNs();
        Set<Integer> victims = victims();
        long lastNs = 0;
        for (int rank = 0; rank < options.ranks(); rank++) {
            long atNs = job.rank(rank).get(time);
            if (!victims.contains(rank) && atNs != 0) {
                lastNs = Math.max(lastNs, atNs - struckNs);
            }
        }
        return lastNs;
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("seed " + seed + ": ");
        text.append(strikes.stream().map(Strike::toString).collect(Collectors.joining("; ")));
        text.append(String.format(
                Locale.ROOT,
                "; noticed by the last after %.1f ms, recovered after %.1f ms",
                lastNs(Field.NOTICED_NS) / 1e6,
                recoveryNs() / 1e6));
        for (String problem : problems) {
            text.append("\n  WRONG: ").append(problem);
        }
        return problems.isEmpty() ? text.toString() : text + "\n  again: " + options.repeating(seed);
    }
}
