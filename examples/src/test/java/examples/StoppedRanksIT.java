package examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests real processes that are stopped by a signal: for longer than the timeout, for less than the timeout, or just
 * before they are killed. {@code -Dexamples.stops=50} sets how many stops shorter than the timeout there are.
 */
@Tag("long")
class StoppedRanksIT {
    private static final long SEED = Long.getLong("seed", System.nanoTime());
    private static final int STOPS = Integer.getInteger("examples.stops", 2);
    private static final Pattern PART = Pattern.compile("rank ([01]): (\\d+) of (\\d+) words of message");
    private static final int ATTEMPTS = 8;
    private static final String TIMEOUT = "2s";
    /**
     * The detector timeout of jobs with short stops: much longer than a stop, since on a busy machine the shell that
     * ends a stop may run late.
     */
    private static final String TIMEOUT_OF_PAUSES = "6s";

    private static final long PAUSE_MS = 2_500;

    /**
     * Tests a sender that is stopped, and in some cases then killed, in the middle of a message to at least one
     * receiver. If it was stopped between two messages, the case is tried again.
     */
    @ParameterizedTest
    @CsvSource({"shm,stop", "tcp,kill"})
    void shouldFailInTheMiddleOfAMessageAndNotChangeAByteAfterwards(String transport, String mode) {
        failInTheMiddle(transport, mode);
    }

    @ParameterizedTest
    @CsvSource({"shm,kill", "tcp,stop"})
    @Tag("release")
    void shouldFailSoByTheOtherWayToo(String transport, String mode) {
        failInTheMiddle(transport, mode);
    }

    private static void failInTheMiddle(String transport, String mode) {
        SplittableRandom random = new SplittableRandom(SEED);
        boolean wasInTheMiddle = false;
        for (int attempt = 0; attempt < ATTEMPTS && !wasInTheMiddle; attempt++) {
            String delayMs = Integer.toString(random.nextInt(10, 300));
            MpiexecRun run = run(transport, timeout(mode), 4, "examples.StoppedInTheMiddle", mode, delayMs);

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

    /**
     * A stopped rank is found by its silence, so the timeout is short for {@code stop}. A killed one is found long
     * before the timeout.
     */
    private static String timeout(String mode) {
        return mode.equals("stop") ? TIMEOUT : "60s";
    }

    @Test
    void shouldEndNoRankThatIsStoppedForLessThanTheTimeoutBesideAHog() {
        pause("shm");
    }

    @Tag("release")
    @Test
    void shouldEndNoRankOverTcpThatIsStoppedForLessThanTheTimeoutBesideAHog() {
        pause("tcp");
    }

    private static void pause(String transport) {
        try (Hog hog = new Hog()) {
            MpiexecRun run = run(
                    transport,
                    TIMEOUT_OF_PAUSES,
                    4,
                    "examples.Pauses",
                    Integer.toString(STOPS),
                    Long.toString(PAUSE_MS),
                    Long.toString(SEED));
            assertThat(run.exitCode()).as("-Dseed=%d: %s", SEED, run).isZero();
            assertThat(run.outText()).contains(STOPS + " stops of " + PAUSE_MS + " ms", "no failure declared");
            assertThat(run.err()).as("%s", run).noneMatch(line -> line.contains("silent"));
            assertThat(hog.isAlive()).isTrue();
            System.out.println(transport + ": " + run.outText());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void shouldReceiveWhatHadArrivedWholeBeforeItsSenderDied(String transport) {
        MpiexecRun run = run(transport, "30s", 3, "examples.LastWords");

        assertThat(run.exitCode()).as("%s", run).isZero();
        assertThat(run.out()).as("%s", run).containsExactly("20 messages of the dead received, and no more");
    }

    private static MpiexecRun run(String transport, String timeout, int ranks, String... program) {
        long limitSeconds = 200 + STOPS * 6L;
        List<String> arguments =
                new ArrayList<>(List.of("-n", Integer.toString(ranks), "--timeout", Long.toString(limitSeconds)));
        arguments.addAll(List.of("--set", "ulfm.transport=" + transport, "--set", "ulfm.fd.timeout=" + timeout));
        arguments.addAll(List.of("--print-all-exitcodes", "java", "-cp", MpiexecRun.testPrograms()));
        arguments.addAll(List.of(program));
        return MpiexecRun.of(Duration.ofSeconds(limitSeconds + 20), arguments.toArray(String[]::new));
    }
}
