package org.ulfmj.rendezvous.client;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Forwards connections to a listener, records all bytes in both directions, and flips a bit where a test asks for it.
 */
final class RecordingPath implements AutoCloseable {
    private final ServerSocket door = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final int port;
    private final ByteArrayOutputStream recorded = new ByteArrayOutputStream();
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private final AtomicInteger connections = new AtomicInteger();
    private volatile boolean spoilsToListener;
    private volatile boolean spoilsFromListener;

    RecordingPath(int port) throws IOException {
        this.port = port;
        daemon(this::accept);
    }

    InetSocketAddress address() {
        return (InetSocketAddress) door.getLocalSocketAddress();
    }

    int connections() {
        return connections.get();
    }

    /** All bytes so far, a character each. */
    String recorded() {
        synchronized (recorded) {
            return recorded.toString(StandardCharsets.ISO_8859_1);
        }
    }

    /** Flips the last bit of the bytes that are forwarded next in one direction. */
    void spoilNext(boolean isToListener) {
        if (isToListener) {
            spoilsToListener = true;
        } else {
            spoilsFromListener = true;
        }
    }

    private void accept() {
        try {
            while (true) {
                Socket caller = door.accept();
                Socket called = new Socket("127.0.0.1", port);
                sockets.add(caller);
                sockets.add(called);
                connections.incrementAndGet();
                daemon(() -> pass(caller, called, true));
                daemon(() -> pass(called, caller, false));
            }
        } catch (IOException closed) {
            // The test is over.
        }
    }

    private void pass(Socket from, Socket to, boolean isToListener) {
        byte[] piece = new byte[64 * 1024];
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int count = in.read(piece); count > 0; count = in.read(piece)) {
                synchronized (recorded) {
                    recorded.write(piece, 0, count);
                }
                if (isToListener ? spoilsToListener : spoilsFromListener) {
                    piece[count - 1] ^= 1;
                    spoilsToListener = spoilsToListener && !isToListener;
                    spoilsFromListener = spoilsFromListener && isToListener;
                }
                out.write(piece, 0, count);
            }
        } catch (IOException ended) {
            // Both sockets are closed.
        }
    }

    private static void daemon(Runnable task) {
        Thread thread = new Thread(task);
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        door.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }
}
