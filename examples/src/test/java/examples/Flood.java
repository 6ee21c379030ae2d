package examples;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Opens connections to one address at a steady rate, or sends datagrams to it. Every second connection sends bytes that
 * are no handshake; the others send nothing. The newest 100 connections are kept open until the flood ends; older ones
 * are closed.
 */
final class Flood {
    private static final int KEPT = 100;
    private static final int SAID_BYTES = 40;

    private final int perSecond;
    private final byte[] said = new byte[SAID_BYTES];
    private int failed;

    Flood(int perSecond) {
        this.perSecond = perSecond;
        new SplittableRandom(1).nextBytes(said);
    }

    /** How many connections failed when they were opened or written to. */
    int failed() {
        return failed;
    }

    /** Floods the address for this time. Returns how many connections were tried, or how many datagrams were sent. */
    int run(SocketAddress address, boolean isDatagram, double seconds) throws IOException {
        Deque<SocketChannel> open = new ArrayDeque<>();
        long startNs = System.nanoTime();
        int count = 0;
        try (DatagramSocket datagrams = new DatagramSocket()) {
            for (long nowNs = startNs; nowNs - startNs < seconds * 1e9; nowNs = System.nanoTime()) {
                long due = (nowNs - startNs) * perSecond / TimeUnit.SECONDS.toNanos(1);
                for (; count < due; count++) {
                    if (isDatagram) {
                        datagrams.send(new DatagramPacket(said, SAID_BYTES, address));
                    } else {
                        connect(address, count, open);
                    }
                }
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
            }
        } finally {
            for (SocketChannel channel : open) {
                channel.close();
            }
        }
        return count;
    }

    private void connect(SocketAddress address, int number, Deque<SocketChannel> open) throws IOException {
        boolean isUnix = address instanceof UnixDomainSocketAddress;
        SocketChannel channel = isUnix ? SocketChannel.open(StandardProtocolFamily.UNIX) : SocketChannel.open();
        open.addLast(channel);
        if (open.size() > KEPT) {
            open.removeFirst().close();
        }
        try {
            channel.configureBlocking(false);
            if (address instanceof InetSocketAddress) {
                // Closing the connection sends a reset, so that its port is free again at once.
                channel.setOption(StandardSocketOptions.SO_LINGER, 0);
            }
            channel.connect(address);
            if (number % 2 == 0 && channel.finishConnect()) {
                channel.write(ByteBuffer.wrap(said));
            }
        } catch (IOException refused) {
            failed++;
        }
    }
}
