package org.ulfmj.transport.tcp;

import java.io.FileInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.ulfmj.protocol.Timing;
import org.ulfmj.transport.OtherProcess;
import org.ulfmj.transport.Received;
import org.ulfmj.transport.auth.JobSecret;

/**
 * A main class: a rank that is called when it can open no file any more, at its TCP port or, if a path is given, at its
 * lifeline socket there. Prints whether it slept meanwhile, and whether the caller was accepted later.
 */
final class DoorWithoutDescriptors {
    private static final long LOOK_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long MOST_NS = TimeUnit.SECONDS.toNanos(30);

    private DoorWithoutDescriptors() {}

    public static void main(String[] args) throws IOException {
        Timing timing = Timing.fromTimeout(TimeUnit.SECONDS.toNanos(60));
        TcpFabric fabric = new TcpFabric(
                TcpWorld.identity(1), JobSecret.random(), timing, TcpWorld.OPTIONS_HASH, "127.0.0.1", System::nanoTime);
        fabric.connect(List.of(TcpWorld.record(1, fabric.port(), "")));
        Received sink = new Received();
        SocketAddress door = new InetSocketAddress("127.0.0.1", fabric.port());
        if (args.length > 0) {
            door = UnixDomainSocketAddress.of(args[0]);
            fabric.listenForLifelines(Path.of(args[0]));
        }
        // Loads every class on the way.
        SocketChannel early = SocketChannel.open(door);
        int wakes = wakesOf(fabric, sink, LOOK_NS / 10);
        SocketChannel caller = args.length > 0 ? SocketChannel.open(StandardProtocolFamily.UNIX) : SocketChannel.open();
        List<FileInputStream> open = OtherProcess.takeAllDescriptors();
        caller.connect(door);
        wakes = wakesOf(fabric, sink, LOOK_NS);
        for (FileInputStream each : open) {
            each.close();
        }
        caller.configureBlocking(false);
        boolean isHeard = false;
        for (long beginNs = System.nanoTime(); !isHeard && System.nanoTime() - beginNs < MOST_NS; ) {
            wakesOf(fabric, sink, LOOK_NS / 50);
            isHeard = caller.read(ByteBuffer.allocate(1)) == 1;
        }
        System.out.println((wakes < 200 ? "asleep" : "awake " + wakes + " times") + ", heard " + isHeard);
        early.close();
        caller.close();
        fabric.close();
    }

    private static int wakesOf(TcpFabric fabric, Received sink, long forNs) {
        long endNs = System.nanoTime() + forNs;
        int wakes = 0;
        while (System.nanoTime() - endNs < 0) {
            long deadlineNs = Math.min(fabric.nextDeadlineNs(), endNs);
            fabric.sleep(deadlineNs);
            fabric.pollWithSeat(sink);
            wakes++;
        }
        return wakes;
    }
}
