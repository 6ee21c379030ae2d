package examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests, with heaps of 64 MiB, that a blocking send of a short or empty message waits while the receiver computes and
 * holds many, and that all arrive. The full test, with ten million messages and a wait of ten seconds, is run by
 * {@code -Dulfm.test.busy.messages=10000000 -Dulfm.test.busy.seconds=10}.
 */
@Tag("long")
class BusyReceiverIT {
    private static final int MESSAGES = Integer.getInteger("ulfm.test.busy.messages", 1_000_000);
    private static final int SECONDS = Integer.getInteger("ulfm.test.busy.seconds", 1);
    private static final int LIMIT_SECONDS = 90 + MESSAGES / 20_000;

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void shouldLetSendersWaitForAReceiverThatComputes(String transport, @TempDir Path directory) {
        MpiexecRun run = MpiexecRun.of(
                Duration.ofSeconds(LIMIT_SECONDS + 10),
                "-n",
                "2",
                "--timeout",
                Integer.toString(LIMIT_SECONDS),
                "--set",
                "ulfm.transport=" + transport,
                "java",
                "-Xmx64m",
                "-cp",
                MpiexecRun.testPrograms(),
                "examples.BusyReceiver",
                Integer.toString(MESSAGES),
                Integer.toString(SECONDS),
                directory.resolve("waited").toString());
        assertThat(run.exitCode()).as(run.toString()).isZero();
        assertThat(run.out())
                .as(run.toString())
                .containsExactlyInAnyOrder("a send waited for the receiver", "received " + MESSAGES + " messages");
        System.out.println(transport + ": " + run.err());
    }
}
