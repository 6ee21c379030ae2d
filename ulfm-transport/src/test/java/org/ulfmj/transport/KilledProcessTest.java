package org.ulfmj.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.ulfmj.protocol.ProcessId;

/** A process that sends and receives at full speed gets a SIGKILL. */
@Timeout(120)
class KilledProcessTest {
    private static final ProcessId ONE = ProcessId.of(1);

    @TempDir
    Path directory;

    private final Received received = new Received();
    private int sent;

    @ParameterizedTest
    @CsvSource({"shm,1", "shm,50", "shm,333", "tcp,1", "tcp,50", "tcp,333"})
    void shouldHandOverWholeFramesInOrderUpToTheDeathAndSendOn(String medium, int frames) throws Exception {
        try (Node node = Streamer.open(medium, directory, 0)) {
            Process child = start(medium, node.record());
            try {
                BufferedReader output =
                        new BufferedReader(new InputStreamReader(child.getInputStream(), StandardCharsets.UTF_8));
                node.connect(List.of(node.record(), Streamer.recordOf(output.readLine())));
                pollUntil(node.fabric(), () -> received.frames.size() >= frames);
                child.destroyForcibly();
                pollUntil(node.fabric(), () -> !child.isAlive());
                node.fabric().drain(ONE);
                pollUntil(node.fabric(), () -> received.events.contains("drained 1"));
            } finally {
                child.destroyForcibly().waitFor();
            }
            int handedOver = received.frames.size();
            for (int i = 0; i < 100; i++) {
                sendAndPoll(node.fabric());
            }
            node.fabric().abandon(ONE);
            assertThat(node.fabric().offer(ONE, LaneKind.DATA, Streamer.frame(39)))
                    .isTrue();
            assertThat(received.frames).as("nothing after the drain").hasSize(handedOver);
            int[] next = new int[LaneKind.values().length];
            for (Received.Item item : received.frames) {
                int number = next[item.lane().ordinal()]++;
                assertThat(item.sequence()).isEqualTo(number);
                assertThat(item.payload()).as("frame %d", number).isEqualTo(Streamer.payload(number));
            }
        }
    }

    private Process start(String medium, MemberRecord zero) throws IOException {
        return OtherProcess.of(Streamer.class, medium, directory.toString(), Streamer.textOf(zero))
                .start();
    }

    private void pollUntil(Fabric fabric, BooleanSupplier condition) {
        Polling.until(condition, () -> sendAndPoll(fabric));
    }

    /** So that it dies with lanes in use both ways. */
    private void sendAndPoll(Fabric fabric) {
        if (fabric.offer(ONE, LaneKind.DATA, Streamer.frame(sent))) {
            sent++;
        }
        fabric.pollWithSeat(received);
        Thread.yield();
    }
}
