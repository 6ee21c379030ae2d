package org.ulfmj.transport;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import org.ulfmj.protocol.ProcessId;

/**
 * The main class of rank 1: sends short messages to rank 0, whose bytes follow from their numbers, and kills itself by
 * SIGKILL once all but a given number of bytes of the last one are written.
 */
final class TrappedSender {
    static final int STREAM = 0;
    static final long COMMUNICATOR = 77;
    static final int RANK = 1;
    static final int MESSAGE_BYTES = 40;

    private static final ProcessId ZERO = ProcessId.of(0);

    private TrappedSender() {}

    /**
     * Arguments: the directory of the job, the record of rank 0, the number of messages, and how many bytes of the last
     * message, its header included, are not written. Writes its own record to stdout.
     */
    public static void main(String[] args) throws IOException {
        int messages = Integer.parseInt(args[2]);
        int missingBytes = Integer.parseInt(args[3]);
        try (Node node = Streamer.open("shm", Path.of(args[0]), RANK)) {
            System.out.println(Streamer.textOf(node.record()));
            node.connect(List.of(Streamer.recordOf(args[1]), node.record()));
            Frame first = Frames.numbered(0);
            long lastByte = FrameLayout.totalBytes(first) + messages * messageBytes() - missingBytes;
            Fabric fabric = new TrappedFabric(node.fabric(), new ByteTrap(lastByte, TrappedSender::killThisProcess));
            Received received = new Received();
            Runnable poll = () -> fabric.pollWithSeat(received);
            Polling.until(() -> fabric.offer(ZERO, LaneKind.DATA, first), poll);
            // Rank 0 answers once it has opened the lane.
            Polling.until(() -> !received.frames.isEmpty(), poll);
            ShortPath path = fabric.shortPath(ZERO);
            for (int number = 0; number < messages; number++) {
                path.send(STREAM, COMMUNICATOR, RANK, number, new BufferPayload(ByteBuffer.wrap(message(number))));
            }
            throw new IllegalStateException("sent " + messages + " messages, and the trap did not spring");
        }
    }

    private static long messageBytes() {
        return FrameLayout.HEADER_BYTES + MESSAGE_BYTES;
    }

    static byte[] message(int number) {
        return Frames.bytes(MESSAGE_BYTES, number);
    }

    private static void killThisProcess() {
        try {
            new ProcessBuilder(
                            "kill",
                            "-s",
                            "KILL",
                            Long.toString(ProcessHandle.current().pid()))
                    .start();
        } catch (IOException e) {
            throw new IllegalStateException("this process cannot be killed", e);
        }
        while (true) {
            Thread.onSpinWait();
        }
    }
}
