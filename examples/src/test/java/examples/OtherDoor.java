package examples;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channel;
import java.nio.channels.DatagramChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * An address that has nothing to do with a job, for comparison with the job's: connections are accepted, kept for a
 * while and closed; datagrams are received.
 */
final class OtherDoor implements AutoCloseable {
    private static final int KEPT = 64;
    private static final int GREETING_BYTES = 19;

    private final Channel channel;
    private final SocketAddress address;

    /**
     * Opens an address of the same kind (TCP, Unix or datagram socket) as {@code like}; a Unix socket is made in
     * {@code directory}.
     */
    OtherDoor(SocketAddress like, boolean isDatagram, Path directory) throws IOException {
        SocketAddress any = like instanceof UnixDomainSocketAddress
                ? UnixDomainSocketAddress.of(directory.resolve("other"))
                : new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        if (isDatagram) {
            DatagramChannel datagrams =
                    DatagramChannel.open(StandardProtocolFamily.INET).bind(any);
            channel = datagrams;
            address = datagrams.getLocalAddress();
        } else {
            ServerSocketChannel listener = like instanceof UnixDomainSocketAddress
                    ? ServerSocketChannel.open(StandardProtocolFamily.UNIX)
                    : ServerSocketChannel.open();
            listener.bind(any, 1024);
            channel = listener;
            address = listener.getLocalAddress();
        }
        Thread thread = new Thread(this::serve);
        thread.setDaemon(true);
        thread.start();
    }

    SocketAddress address() {
        return address;
    }

    private void serve() {
        Deque<SocketChannel> open = new ArrayDeque<>();
        try {
            while (true) {
                if (channel instanceof DatagramChannel datagrams) {
                    datagrams.receive(ByteBuffer.allocate(64));
                } else {
                    SocketChannel caller = ((ServerSocketChannel) channel).accept();
                    greet(caller);
                    open.addLast(caller);
                    if (open.size() > KEPT) {
                        open.removeFirst().close();
                    }
                }
            }
        } catch (IOException closed) {
            // The end.
        }
    }

    /** Sends as many bytes as a job's challenge has. */
    private static void greet(SocketChannel caller) {
        try {
            caller.write(ByteBuffer.allocate(GREETING_BYTES));
        } catch (IOException goneAlready) {
            // It is closed with the others.
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
