package org.ulfmj.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Kills a rank by SIGKILL at a random moment shortly before, in or after its Finalize, once for each of several seeds.
 * {@code -Dfinalize.kills=50} takes that many seeds, {@code -Dfinalize.seed=N} begins with the seed of a run that
 * failed.
 */
@Tag("long")
class KilledInFinalizeIT {
    private static final int KILLS = Integer.getInteger("finalize.kills", 6);
    private static final long FIRST_SEED = Long.getLong("finalize.seed", System.nanoTime() % 1_000_000);
    /**
     * The most time from the signal to the end of the job. If a rank waited for the time budget of a link, it would be
     * a minute; on an idle machine the job ends within a second.
     */
    private static final long LIMIT_MS = Long.getLong("finalize.limitMs", 20_000);

    private static final String DETECTOR_TIMEOUT = "ulfm.fd.timeout=100s";
    private static final int RANKS = 4;
    private static final int KILLED = 137;
    private static final Pattern SIGNAL = Pattern.compile("(killed|missed) (\\d) (\\d+)");
    private static final Pattern LEFT = Pattern.compile("left (\\d) (\\d+)");
    private static final Pattern CODE = Pattern.compile("mpiexec: rank (\\d): (\\d+)");

    @Test
    void shouldEndAllSurvivorsSoonAndWithTheRightCodes() throws InterruptedException {
        TreeMap<String, Integer> ends = new TreeMap<>();
        double worstMs = 0;
        for (long seed = FIRST_SEED; seed < FIRST_SEED + KILLS; seed++) {
            try (Launched job = Launched.start(Launched.program(
                    "-n " + RANKS + " --timeout 60 --print-all-exitcodes --set ulfm.verbose=1 --set " + DETECTOR_TIMEOUT
                            + " --set ulfm.transport=" + (seed % 2 == 0 ? "auto" : "tcp") + " java -Xmx64m",
                    KilledInFinalize.class,
                    Long.toString(seed)))) {
                int code = job.exitCode();
                long endNs = System.nanoTime();
                String what = "-Dfinalize.seed=" + seed + " ended with " + code + "\n" + job.out() + job.err();
                worstMs = Math.max(worstMs, judge(what, job, code, endNs));
                ends.merge(
                        code == 0 ? "all survivors held it for failed, or it was through" : "ended after all",
                        1,
                        Integer::sum);
            }
        }
        System.out.printf(
                Locale.ROOT,
                "seeds %d to %d: survivors ended within %.0f ms; %s%n",
                FIRST_SEED,
                FIRST_SEED + KILLS - 1,
                worstMs,
                ends);
    }

    /** Checks how a job ended. Returns how many milliseconds after the signal the job had ended. */
    private static double judge(String what, Launched job, int code, long endNs) {
        Matcher signal = SIGNAL.matcher(job.out());
        assertThat(signal.find()).as(what).isTrue();
        int victim = Integer.parseInt(signal.group(2));
        int[] codes = codes(what, job);
        long left = LEFT.matcher(job.out())
                .results()
                .filter(one -> !one.group(1).equals("" + victim))
                .count();
        assertThat(left).as("survivors that left Finalize; " + what).isEqualTo(RANKS - 1);
        for (int rank = 0; rank < RANKS; rank++) {
            assertThat(codes[rank])
                    .as("code of rank " + rank + "; " + what)
                    .isIn(rank == victim ? List.of(0, KILLED) : List.of(0));
        }
        boolean isHeldForFailed = job.err().contains("holding for failed [" + victim + "]");
        assertThat(code).as(what).isEqualTo(codes[victim] == 0 || isHeldForFailed ? 0 : KILLED);
        double tookMs = (endNs - Long.parseLong(signal.group(3))) / 1e6;
        assertThat(tookMs).as("until the job was over, in ms; " + what).isLessThanOrEqualTo(LIMIT_MS);
        return tookMs;
    }

    private static int[] codes(String what, Launched job) {
        int[] codes = CODE.matcher(job.err())
                .results()
                .mapToInt(one -> Integer.parseInt(one.group(2)))
                .toArray();
        assertThat(codes).as(what).hasSize(RANKS);
        return codes;
    }
}
