package org.ulfmj.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.ulfmj.protocol.ProcessId;

/**
 * A process gets a SIGKILL, either while it sends and receives at full speed or at a certain byte of a short message;
 * the survivor gets whole frames only.
 */
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
            Process child = start(Streamer.class, medium, directory.toString(), Streamer.textOf(node.record()));
            try {
                connect(node, child);
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

    /**
     * The sender kills itself once all but {@code missingBytes} bytes of its last message are written.
     *
     * @param missingBytes how many bytes of the last message are not written; the last byte counts as written by the
     *     commit of its record
     */
    @ParameterizedTest
    @CsvSource({"1,1", "20,0", "20,1", "20,2", "20,30"})
    void shouldTakeAShortMessageOfTheDeadWholeOrNotAtAll(int messages, int missingBytes) throws Exception {
        try (Node node = Streamer.open("shm", directory, 0)) {
            Process child = start(
                    TrappedSender.class,
                    directory.toString(),
                    Streamer.textOf(node.record()),
                    Integer.toString(messages),
                    Integer.toString(missingBytes));
            try {
                connect(node, child);
                ShortPath path = node.fabric().shortPath(ONE);
                Runnable poll = () -> node.fabric().pollWithSeat(received);
                Polling.until(() -> !received.frames.isEmpty(), poll);
                path.hold(true);
                Polling.until(() -> node.fabric().offer(ONE, LaneKind.DATA, Streamer.frame(0)), poll);
                Polling.until(() -> !child.isAlive(), poll);
                assertThat(child.exitValue()).as("killed by signal 9").isEqualTo(128 + 9);
                path.hold(false);
                assertThat(takenFrom(path)).isEqualTo(missingBytes == 0 ? messages : messages - 1);
                received.frames.clear();
                node.fabric().drain(ONE);
                pollUntil(node.fabric(), () -> received.events.contains("drained 1"));
            } finally {
                child.destroyForcibly().waitFor();
            }
            assertThat(received.frames).as("nothing more in the drain").isEmpty();
        }
    }

    /**
     * Takes all messages of a short path, and checks that they are those of {@link TrappedSender}. Returns how many
     * there were.
     */
    private static int takenFrom(ShortPath path) {
        ByteBuffer room = ByteBuffer.allocate(TrappedSender.MESSAGE_BYTES);
        int taken = 0;
        while (true) {
            room.clear();
            int lengthBytes = path.receive(
                    TrappedSender.STREAM,
                    TrappedSender.COMMUNICATOR,
                    TrappedSender.RANK,
                    taken,
                    new BufferPayload(room));
            if (lengthBytes < 0) {
                assertThat(lengthBytes).as("after %d messages", taken).isEqualTo(ShortPath.NOTHING);
                return taken;
            }
            assertThat(room.array()).as("message %d", taken).isEqualTo(TrappedSender.message(taken));
            taken++;
        }
    }

    private static Process start(Class<?> main, String... arguments) throws IOException {
        return OtherProcess.of(main, arguments).start();
    }

    /** Connects with a process that writes its record to stdout first. */
    private static void connect(Node node, Process child) throws IOException {
        BufferedReader output =
                new BufferedReader(new InputStreamReader(child.getInputStream(), StandardCharsets.UTF_8));
        node.connect(List.of(node.record(), Streamer.recordOf(output.readLine())));
    }

    private void pollUntil(Fabric fabric, BooleanSupplier condition) {
        Polling.until(condition, () -> sendAndPoll(fabric));
    }

    /** Offers a frame to rank 1 and polls, so that lanes are in use both ways. */
    private void sendAndPoll(Fabric fabric) {
        if (fabric.offer(ONE, LaneKind.DATA, Streamer.frame(sent))) {
            sent++;
        }
        fabric.pollWithSeat(received);
        Thread.yield();
    }
}
