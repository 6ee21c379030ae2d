package org.ulfmj.rendezvous.server;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Iterator;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.rendezvous.message.RendezvousCodec;
import org.ulfmj.rendezvous.message.RendezvousMessage;
import org.ulfmj.rendezvous.store.StoreResult;
import org.ulfmj.rendezvous.store.StoreServer;
import org.ulfmj.transport.auth.Handshake;
import org.ulfmj.transport.auth.HandshakeException;
import org.ulfmj.transport.auth.JobSecret;
import org.ulfmj.transport.auth.Purpose;
import org.ulfmj.transport.auth.RandomBytes;
import org.ulfmj.transport.record.Protection;
import org.ulfmj.transport.record.RecordChannel;

/**
 * The store of a job on a socket, for programs that are started without {@code mpiexec}: one process hosts the store,
 * the others open {@code embedded://host:port/job}. It is the same store, with the same handshake, as the one that the
 * launcher hosts; between hosts connections are encrypted. The values are in this process's memory and end with it.
 *
 * <p>A process that has been without a connection for the length of the lease, by default a minute, loses its session:
 * its waiting requests are dropped, and for changes without an answer the process does not know whether they were made.
 *
 * <p>The store has one daemon thread. Any thread may close it.
 */
public final class StoreHost implements AutoCloseable {
    public static final long NO_OPTIONS = 0;

    /** How long, by default, a process may be without a connection before its session ends. */
    private static final long LEASE_NS = 60_000_000_000L;

    private static final int BACKLOG = 1024;

    private final String job;
    private final long leaseNs;
    private final Handshake handshake;
    private final Selector selector;
    private final ServerSocketChannel acceptor;
    private final Door door;
    private final StoreServer store = new StoreServer(RandomBytes.nextLong());
    private final Greeter greeter = store::greet;
    private final StoreServer.Answers answers = new Answers();

    /** The newest connection of each process, by its nonce. */
    private final SortedMap<Long, ServerConnection> byNonce = new TreeMap<>();

    /** The name of each process in the store, by its nonce: a made-up id, since these processes have no slots. */
    private final SortedMap<Long, ProcessId> names = new TreeMap<>();

    /** When the connection of a process was lost, by its nonce. */
    private final SortedMap<Long, Long> lostNs = new TreeMap<>();

    private final Thread thread;
    private volatile boolean isClosing;

    /**
     * Binds an address and starts the store's thread.
     *
     * @param host address at which the store listens for processes: {@code 127.0.0.1}, {@code 0.0.0.0} or another one
     *     of this machine
     * @param port 0 for a free one
     * @param job the job's name; a process that names another job is refused
     */
    public StoreHost(String host, int port, String job, JobSecret secret) throws IOException {
        this(host, port, job, secret, LEASE_NS);
    }

    public StoreHost(String host, int port, String job, JobSecret secret, long leaseNs) throws IOException {
        this.job = job;
        this.leaseNs = leaseNs;
        this.handshake = new Handshake(secret, Purpose.CONTROL, NO_OPTIONS);
        this.selector = Selector.open();
        this.acceptor = ServerSocketChannel.open();
        this.door = new Door(acceptor, selector);
        InetAddress address = InetAddress.getByName(host);
        try {
            acceptor.bind(new InetSocketAddress(address, port), BACKLOG);
            acceptor.configureBlocking(false);
            acceptor.register(selector, SelectionKey.OP_ACCEPT);
        } catch (IOException e) {
            closeSockets();
            throw new IOException("no store at " + host + ":" + port + ": " + e.getMessage(), e);
        }
        if (!address.isLoopbackAddress()) {
            RecordChannel.prepare();
        }
        this.thread = new Thread(this::loop, "ulfm-store-host");
        thread.setDaemon(true);
        thread.start();
    }

    /** The port at which the store listens for processes. */
    public int port() {
        return acceptor.socket().getLocalPort();
    }

    /** Ends the store, and cuts all connections. */
    @Override
    public void close() {
        isClosing = true;
        selector.wakeup();
        boolean interrupted = false;
        while (Thread.currentThread() != thread && thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void loop() {
        try {
            while (!isClosing) {
                selector.select(untilNextMs());
                Iterator<SelectionKey> keys = selector.selectedKeys().iterator();
                while (keys.hasNext()) {
                    handle(keys.next());
                    keys.remove();
                }
                door.dropLate(System.nanoTime());
                endLeases(System.nanoTime());
            }
        } catch (IOException e) {
            throw new IllegalStateException("the host of the store of job " + job + " cannot go on", e);
        } finally {
            closeSockets();
        }
    }

    private long untilNextMs() {
        long nowNs = System.nanoTime();
        long leftNs = Long.MAX_VALUE;
        if (door.nextDeadlineNs() != Long.MAX_VALUE) {
            leftNs = door.nextDeadlineNs() - nowNs;
        }
        for (long lost : lostNs.values()) {
            leftNs = Math.min(leftNs, lost + leaseNs - nowNs);
        }
        return leftNs == Long.MAX_VALUE ? 0 : Math.max(0, leftNs) / 1_000_000 + 1;
    }

    private void handle(SelectionKey key) throws IOException {
        if (!key.isValid()) {
            return;
        }
        if (key.isAcceptable()) {
            door.acceptSome(this::connection);
            return;
        }
        ServerConnection connection = (ServerConnection) key.attachment();
        try {
            if (key.isWritable()) {
                connection.flush();
            }
            if (connection.isEnding()) {
                drop(connection);
            } else if (key.isReadable()) {
                read(connection);
            }
        } catch (IOException | HandshakeException broken) {
            drop(connection);
        }
    }

    private ServerConnection connection(SocketChannel channel, SelectionKey key) throws IOException {
        byte[] random = RandomBytes.next(Handshake.NONCE_BYTES);
        return new ServerConnection(
                channel, key, handshake.accept(random), job, Protection.AUTO, System.nanoTime(), greeter);
    }

    private void read(ServerConnection connection) throws IOException, HandshakeException {
        if (!connection.isProven()) {
            if (!connection.shakeHands()) {
                return;
            }
            welcome(connection);
        }
        long nonce = connection.nonce();
        for (RendezvousMessage message = connection.read(); message != null; message = connection.read()) {
            if (byNonce.get(nonce) != connection) {
                return;
            }
            if (!(message instanceof RendezvousMessage.StoreAsk ask)) {
                throw new IOException("a process without a slot says " + message);
            }
            store.onRequest(nonce, names.get(nonce), ask.session(), ask.id(), ask.open(), ask.request(), answers);
        }
    }

    private void welcome(ServerConnection connection) {
        long nonce = connection.nonce();
        door.forget(connection);
        lostNs.remove(nonce);
        names.computeIfAbsent(nonce, newcomer -> ProcessId.of(names.size()));
        ServerConnection older = byNonce.put(nonce, connection);
        if (older != null) {
            older.close();
        }
    }

    private void drop(ServerConnection connection) {
        connection.close();
        door.forget(connection);
        if (connection.isProven() && byNonce.remove(connection.nonce(), connection)) {
            lostNs.put(connection.nonce(), System.nanoTime());
        }
    }

    /**
     * S5: the session of a process that has had no connection for the length of the lease ends, and its requests that
     * wait are dropped.
     */
    private void endLeases(long nowNs) {
        Iterator<Map.Entry<Long, Long>> each = lostNs.entrySet().iterator();
        while (each.hasNext()) {
            Map.Entry<Long, Long> lost = each.next();
            if (nowNs - lost.getValue() >= leaseNs) {
                each.remove();
                store.end(lost.getKey());
            }
        }
    }

    private void closeSockets() {
        try {
            for (SelectionKey key : selector.keys()) {
                key.channel().close();
            }
            acceptor.close();
            selector.close();
        } catch (IOException closingAnyway) {
            // The selector and the channels are not used any more.
        }
    }

    /** Sends answers on the connection that the process has now (S4). */
    private final class Answers implements StoreServer.Answers {
        @Override
        public void answer(long nonce, long id, StoreResult result) {
            send(nonce, new RendezvousMessage.StoreAnswer(id, result));
        }

        @Override
        public void expired(long nonce, long session, String why) {
            send(nonce, new RendezvousMessage.StoreExpired(session, why));
        }

        /** A connection that breaks here is closed at once, and the process counts as without one from now on. */
        private void send(long nonce, RendezvousMessage message) {
            ServerConnection connection = byNonce.get(nonce);
            if (connection != null) {
                try {
                    connection.write(RendezvousCodec.encode(message));
                } catch (IOException broken) {
                    connection.close();
                    byNonce.remove(nonce);
                    lostNs.put(nonce, System.nanoTime());
                }
            }
        }
    }
}
