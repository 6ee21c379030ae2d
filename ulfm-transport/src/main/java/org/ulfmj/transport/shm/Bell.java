package org.ulfmj.transport.shm;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import org.ulfmj.transport.seat.ChannelWatch;
import org.ulfmj.transport.seat.SeatSelector;

/**
 * Wakes ranks that sleep in their selector, and is woken so: a datagram to a port of the loopback address. What is in
 * one is never looked at, so a stranger's can only end a sleep. There is no connection to make, to prove or to lose; a
 * datagram that gets lost costs a delay, for no sleep is long. Under the engine lock.
 */
final class Bell implements Runnable, AutoCloseable {
    private static final int DRAINED_AT_ONCE = 64;

    private final DatagramChannel channel;
    private final ChannelWatch watch;
    private final int port;
    private final ByteBuffer out = ByteBuffer.allocateDirect(1);
    private final ByteBuffer in = ByteBuffer.allocateDirect(1);

    Bell(SeatSelector seat) throws IOException {
        channel = DatagramChannel.open(StandardProtocolFamily.INET);
        try {
            channel.configureBlocking(false);
            channel.bind(new InetSocketAddress(loopback(), 0));
            port = ((InetSocketAddress) channel.getLocalAddress()).getPort();
            watch = seat.watch(channel, SelectionKey.OP_READ, this);
        } catch (IOException failed) {
            channel.close();
            throw failed;
        }
    }

    /** Four bytes: a name would load the resolver. */
    private static InetAddress loopback() throws IOException {
        return InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
    }

    int port() {
        return port;
    }

    static InetSocketAddress addressOf(int port) throws IOException {
        return new InetSocketAddress(loopback(), port);
    }

    /** Wakes any process that sleeps there. */
    void ring(InetSocketAddress other) {
        try {
            channel.send(out.clear(), other);
        } catch (IOException e) {
            // Its sleep ends soon by itself.
        }
    }

    /** A process rang, perhaps several. */
    @Override
    public void run() {
        try {
            for (int i = 0; i < DRAINED_AT_ONCE && channel.receive(in.clear()) != null; i++) {
                // That it came is all there is to it.
            }
        } catch (IOException e) {
            // An answer to a datagram of ours that found no process.
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            // There is nothing more to be had from it in any case.
        }
        watch.onClosed();
    }
}
