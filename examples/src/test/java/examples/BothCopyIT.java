package examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests messages that both ranks of a pair copy at once, when one of the ranks is stopped or killed, or the
 * communicator is revoked.
 */
@Tag("long")
class BothCopyIT {
    private static final long SEED = Long.getLong("seed", System.nanoTime());
    private static final int ROUNDS = Integer.getInteger("examples.rounds", 1);
    private static final int REVOCATIONS = 15;

    @ParameterizedTest
    @ValueSource(strings = {"stop", "kill"})
    void shouldNotChangeAByteAfterTheReceiveOfAFailedSenderHasEnded(String mode) {
        for (int round = 0; round < ROUNDS; round++) {
            // Only the timeout tells that a rank is stopped, so it is short for {@code stop}; for {@code kill} it is
            // long.
            MpiexecRun run = run(5, mode.equals("stop") ? "1s" : "60s", mode, Long.toString(SEED + round));

            assertThat(run.exitCode()).as("-Dseed=%d: %s", SEED + round, run).isZero();
            assertThat(run.out())
                    .as("-Dseed=%d: %s", SEED + round, run)
                    .contains("rank 1: unchanged", "rank 3: unchanged", "rank 2 ended true", "rank 4 ended true");
        }
    }

    @Test
    void shouldNotChangeAByteAfterARevokedReceiveHasEnded() {
        MpiexecRun run = run(3, "60s", "revoke", Long.toString(SEED), Integer.toString(ROUNDS * REVOCATIONS));

        assertThat(run.exitCode()).as("-Dseed=%d: %s", SEED, run).isZero();
        assertThat(run.out())
                .as("-Dseed=%d: %s", SEED, run)
                .contains("rank 1: unchanged after " + ROUNDS * REVOCATIONS + " revocations");
    }

    /**
     * Runs {@link BothCopy}. The virtual machines are told that there are eight cores, since with fewer cores than
     * ranks only one of the two ranks copies.
     */
    private static MpiexecRun run(int ranks, String timeout, String... arguments) {
        List<String> command = new ArrayList<>(List.of("-n", Integer.toString(ranks), "--timeout", "100"));
        command.addAll(List.of("--set", "ulfm.transport=shm", "--set", "ulfm.fd.timeout=" + timeout));
        command.addAll(List.of("java", "-XX:ActiveProcessorCount=8", "-cp", MpiexecRun.testPrograms()));
        command.add("examples.BothCopy");
        command.addAll(List.of(arguments));
        return MpiexecRun.of(Duration.ofSeconds(120), command.toArray(String[]::new));
    }
}
