package org.ulfmj.transport.tcp;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.Timing;
import org.ulfmj.transport.EndWithParent;
import org.ulfmj.transport.Frame;
import org.ulfmj.transport.Frames;
import org.ulfmj.transport.LaneKind;
import org.ulfmj.transport.Received;
import org.ulfmj.transport.auth.JobSecret;

/** The main class of rank 1: sends to rank 0 without end. Its arguments are the directory and rank 0's port. */
final class StreamingChild {
    private StreamingChild() {}

    public static void main(String[] args) throws IOException {
        EndWithParent.watch();
        Path directory = Path.of(args[0]);
        JobSecret secret = JobSecret.read(directory.resolve("secret"));
        Timing timing = Timing.fromTimeout(TimeUnit.SECONDS.toNanos(60));
        TcpFabric fabric = new TcpFabric(
                TcpWorld.identity(1), secret, timing, TcpWorld.OPTIONS_HASH, "127.0.0.1", System::nanoTime);
        Path socket = directory.resolve("l1");
        fabric.listenForLifelines(socket);
        String socketOfZero = directory.resolve("l0").toString();
        fabric.connect(List.of(
                TcpWorld.record(0, Integer.parseInt(args[1]), socketOfZero),
                TcpWorld.record(1, fabric.port(), socket.toString())));
        System.out.println(fabric.port());
        Received sink = new Received();
        byte[] payload = Frames.bytes(10_000, 1);
        for (int sequence = 0; ; ) {
            Frame frame = Frames.numbered(sequence, payload);
            if (fabric.offer(ProcessId.of(0), LaneKind.DATA, frame)) {
                sequence++;
            }
            fabric.pollWithSeat(sink);
        }
    }
}
