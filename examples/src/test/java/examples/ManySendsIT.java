package examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Tests that 100,000 sends may be under way before their receives. The receiver keeps a description of each message,
 * and no more of their bytes than the eager credit (4 MiB): the heap of each rank holds one hundred thousand
 * descriptions, but not the 98 MB of the large messages.
 */
class ManySendsIT {
    @Test
    void shouldSendOneHundredThousandMessagesToARankThatIsInABarrier() {
        run();
    }

    @Test
    @Tag("long")
    void shouldDoSoOverTcp() {
        run("--set", "ulfm.transport=tcp");
    }

    private static void run(String... options) {
        List<String> arguments = new ArrayList<>(List.of("-n", "2", "--timeout", "90"));
        arguments.addAll(List.of(options));
        arguments.addAll(List.of("java", "-Xmx80m", "-cp", MpiexecRun.testPrograms(), "examples.ManySends"));
        MpiexecRun run = MpiexecRun.of(Duration.ofSeconds(100), arguments.toArray(new String[0]));
        assertThat(run.exitCode()).as(run.toString()).isZero();
        assertThat(run.out())
                .containsExactly(
                        "received 100000 messages of 8 bytes",
                        "received 1500 messages of 65536 bytes",
                        "received 50000 messages of 8 bytes");
    }
}
