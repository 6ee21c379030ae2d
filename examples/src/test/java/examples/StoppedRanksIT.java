package examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Real processes that are stopped by a signal: longer than the timeout, shorter, and before they are killed. The long form
 * of the short stops is {@code -Dexamples.stops=50}.
 */
class StoppedRanksIT {
    private static final long SEED = Long.getLong("seed", System.nanoTime());
    private static final int STOPS = Integer.getInteger("examples.stops", Boolean.getBoolean("tests.whole") ? 8 : 3);
    private static final Pattern PART = Pattern.compile("rank ([01]): (\\d+) of (\\d+) words of message");
    private static final int ATTEMPTS = 8;
    private static final String TIMEOUT = "2s";
    private static final long STOP_MS = 1_500;
    /** A stop that took so long may have been taken for a death rightly. */
    private static final long TOO_LONG_MS = 1_700;

    /** In the middle of a message means at one receiver at least; a stop between two messages is tried again. */
    @ParameterizedTest
    @CsvSource({"shm,stop", "shm,kill", "tcp,stop", "tcp,kill"})
    void shouldFailInTheMiddleOfAMessageAndNotChangeAByteAfterwards(String transport, String mode) {
        SplittableRandom random = new SplittableRandom(SEED);
        boolean wasInTheMiddle = false;
        for (int attempt = 0; attempt < ATTEMPTS && !wasInTheMiddle; attempt++) {
            String delayMs = Integer.toString(random.nextInt(10, 300));
            MpiexecRun run = run(transport, TIMEOUT, 4, "examples.StoppedInTheMiddle", mode, delayMs);

            assertThat(run.exitCode()).as("-Dseed=%d: %s", SEED, run).isZero();
            assertThat(run.out())
                    .filteredOn(line -> line.contains("buffers unchanged"))
                    .as("%s", run)
                    .hasSize(2);
            assertThat(run.out()).as("%s", run).contains("failed at the controller");
            assertThat(run.outText()).as("%s", run).contains("ended true");
            assertThat(run.err()).as("%s", run).contains("mpiexec: rank 2: 137");
            run.out().forEach(line -> System.out.println(transport + " " + mode + ": " + line));
            Matcher part = PART.matcher(run.outText());
            while (part.find()) {
                int words = Integer.parseInt(part.group(2));
                wasInTheMiddle |= words > 0 && words < Integer.parseInt(part.group(3));
            }
        }
        assertThat(wasInTheMiddle)
                .as("-Dseed=%d: stopped in the middle of a message", SEED)
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void shouldDeclareNobodyFailedWhoIsStoppedForLessThanTheTimeout(String transport) {
        MpiexecRun run = pauses(transport, SEED);
        // On a machine so busy that the shell overslept, the stop was not what it was meant to be.
        for (int again = 1; again <= 3 && run.exitCode() != 0 && longestStopMs(run) > TOO_LONG_MS; again++) {
            System.out.println(transport + ": a stop of up to " + longestStopMs(run) + " ms; once more");
            run = pauses(transport, SEED + again);
        }
        assertThat(run.exitCode()).as("-Dseed=%d: %s", SEED, run).isZero();
        assertThat(run.outText()).contains(STOPS + " stops of " + STOP_MS + " ms", "no failure declared");
        System.out.println(transport + ": " + run.outText());
    }

    private static MpiexecRun pauses(String transport, long seed) {
        return run(
                transport,
                TIMEOUT,
                4,
                "examples.Pauses",
                Integer.toString(STOPS),
                Long.toString(STOP_MS),
                Long.toString(seed));
    }

    private static long longestStopMs(MpiexecRun run) {
        Matcher longest = Pattern.compile("longest (?:stop )?(\\d+) ms at most").matcher(run.outText());
        return longest.find() ? Long.parseLong(longest.group(1)) : 0;
    }

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void shouldReceiveWhatHadArrivedWholeBeforeItsSenderDied(String transport) {
        MpiexecRun run = run(transport, "30s", 3, "examples.LastWords");

        assertThat(run.exitCode()).as("%s", run).isZero();
        assertThat(run.out()).as("%s", run).containsExactly("20 messages of the dead received, and no more");
    }

    private static MpiexecRun run(String transport, String timeout, int ranks, String... program) {
        List<String> arguments = new ArrayList<>(List.of("-n", Integer.toString(ranks), "--timeout", "200"));
        arguments.addAll(List.of("--set", "ulfm.transport=" + transport, "--set", "ulfm.fd.timeout=" + timeout));
        arguments.addAll(List.of("--print-all-exitcodes", "java", "-cp", MpiexecRun.testPrograms()));
        arguments.addAll(List.of(program));
        return MpiexecRun.of(Duration.ofSeconds(220), arguments.toArray(String[]::new));
    }
}
