package org.ulfmj.transport.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.Timing;
import org.ulfmj.transport.OtherProcess;
import org.ulfmj.transport.Polling;
import org.ulfmj.transport.Received;
import org.ulfmj.transport.auth.JobSecret;

/** A real process, killed while it sends. */
@Timeout(120)
class KilledProcessTest {
    private static final ProcessId ONE = ProcessId.of(1);

    @TempDir
    Path directory;

    private final Received received = new Received();

    @Test
    void shouldNoticeTheEndOfTheLifelineAndDrainAPrefix() throws IOException, InterruptedException {
        JobSecret secret = JobSecret.random();
        secret.write(directory.resolve("secret"));
        Timing timing = Timing.fromTimeout(TimeUnit.SECONDS.toNanos(60));
        try (TcpFabric fabric = new TcpFabric(
                TcpWorld.identity(0), secret, timing, TcpWorld.OPTIONS_HASH, "127.0.0.1", System::nanoTime)) {
            fabric.listenForLifelines(directory.resolve("l0"));
            Process child = OtherProcess.of(StreamingChild.class, directory.toString(), Integer.toString(fabric.port()))
                    .start();
            try {
                BufferedReader output =
                        new BufferedReader(new InputStreamReader(child.getInputStream(), StandardCharsets.UTF_8));
                int port = Integer.parseInt(output.readLine());
                fabric.connect(List.of(
                        TcpWorld.record(0, fabric.port(), ""),
                        TcpWorld.record(1, port, directory.resolve("l1").toString())));
                fabric.openLifelines(List.of(ONE));
                pollUntil(fabric, () -> fabric.hasLifeline(ONE) && received.frames.size() >= 50);
                assertThat(received.events).isEmpty();

                child.destroyForcibly();
                pollUntil(fabric, () -> received.events.contains("lifeline 1"));
                fabric.drain(ONE);
                pollUntil(fabric, () -> received.events.contains("drained 1"));
                fabric.abandon(ONE);
            } finally {
                child.destroyForcibly().waitFor();
            }
            for (int i = 0; i < received.frames.size(); i++) {
                assertThat(received.frames.get(i).sequence()).isEqualTo(i);
                assertThat(received.frames.get(i).payload()).hasSize(10_000);
            }
        }
    }

    private void pollUntil(TcpFabric fabric, BooleanSupplier condition) {
        Polling.until(condition, () -> {
            fabric.pollWithSeat(received);
            fabric.sleep(Math.min(fabric.nextDeadlineNs(), System.nanoTime() + TimeUnit.SECONDS.toNanos(1)));
        });
    }
}
