package org.ulfmj.benchmarks.program;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/** A socket between the two ranks of a job without any library, with a buffer for messages in each direction. */
final class BareSocket {
    private static final int LARGEST = 4 << 20;
    /** This size and the two below were found by trial, for messages of 4 MiB. */
    private static final int SEND_BUFFER_BYTES = 128 << 10;

    private static final int WRITE_BYTES = 256 << 10;
    private static final int READ_BYTES = 128 << 10;

    private final SocketChannel channel;
    private final ByteBuffer out = ByteBuffer.allocateDirect(LARGEST);
    private final ByteBuffer in = ByteBuffer.allocateDirect(LARGEST);

    private BareSocket(SocketChannel channel) throws IOException {
        this.channel = channel;
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.setOption(StandardSocketOptions.SO_SNDBUF, SEND_BUFFER_BYTES);
        channel.configureBlocking(false);
    }

    /** Connects the two ranks. Rank 0 writes its port to the shared memory and publishes it as step 2 of the job. */
    static BareSocket open(BareMemory memory, int me) throws IOException {
        InetAddress here = InetAddress.getLoopbackAddress();
        if (me != 0) {
            memory.await(0, 2);
            int port = memory.memory.getInt(BareMemory.data(0, 2));
            return new BareSocket(SocketChannel.open(new InetSocketAddress(here, port)));
        }
        try (ServerSocketChannel listener = ServerSocketChannel.open().bind(new InetSocketAddress(here, 0))) {
            int port = ((InetSocketAddress) listener.getLocalAddress()).getPort();
            memory.memory.putInt(BareMemory.data(0, 2), port);
            memory.set(0, 2);
            return new BareSocket(listener.accept());
        }
    }

    void write(int bytes) throws IOException {
        out.clear();
        while (out.position() < bytes) {
            out.limit(Math.min(bytes, out.position() + WRITE_BYTES));
            if (channel.write(out) == 0) {
                Thread.onSpinWait();
            }
        }
    }

    void read(int bytes) throws IOException {
        in.clear();
        while (in.position() < bytes) {
            in.limit(Math.min(bytes, in.position() + READ_BYTES));
            int count = channel.read(in);
            if (count < 0) {
                throw new IOException("the other rank has ended");
            }
            if (count == 0) {
                Thread.onSpinWait();
            }
        }
    }
}
