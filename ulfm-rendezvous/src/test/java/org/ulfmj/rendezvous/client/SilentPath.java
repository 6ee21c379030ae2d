package org.ulfmj.rendezvous.client;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Forwards connections between a client and a server. A test can make them silent: they stay open, and no byte arrives.
 */
final class SilentPath implements AutoCloseable {
    private final InetSocketAddress server;
    private final ServerSocket door = new ServerSocket(0, 16, InetAddress.getByName("127.0.0.1"));
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<Through> all = new ArrayList<>();

    private static final class Through {
        final Socket client;
        final Socket server;
        volatile boolean isSilent;
        volatile boolean isClosed;

        Through(Socket client, Socket server) {
            this.client = client;
            this.server = server;
        }
    }

    SilentPath(InetSocketAddress server) throws IOException {
        this.server = server;
        threads.execute(this::accept);
    }

    InetSocketAddress address() {
        return new InetSocketAddress("127.0.0.1", door.getLocalPort());
    }

    synchronized int connections() {
        return all.size();
    }

    /**
     * Makes all present connections silent: nothing that is sent on them arrives any more. Returns how many there are.
     */
    synchronized int silence() {
        all.forEach(through -> through.isSilent = true);
        return all.size();
    }

    /** Whether the client has closed its first connection. */
    synchronized boolean isFirstClosed() {
        return all.get(0).isClosed;
    }

    private synchronized void add(Through through) {
        all.add(through);
    }

    private void accept() {
        try {
            while (true) {
                Socket client = door.accept();
                Through through = new Through(client, new Socket(server.getAddress(), server.getPort()));
                add(through);
                threads.execute(() -> pass(through, through.client, through.server, true));
                threads.execute(() -> pass(through, through.server, through.client, false));
            }
        } catch (IOException closed) {
            // The test is over.
        }
    }

    private static void pass(Through through, Socket from, Socket to, boolean isClient) {
        byte[] piece = new byte[1 << 16];
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int read = in.read(piece); read >= 0; read = in.read(piece)) {
                if (!through.isSilent) {
                    out.write(piece, 0, read);
                }
            }
        } catch (IOException closed) {
            // As the end of the stream.
        }
        through.isClosed |= isClient;
    }

    @Override
    public synchronized void close() throws IOException {
        door.close();
        for (Through through : all) {
            through.client.close();
            through.server.close();
        }
        threads.shutdownNow();
    }
}
