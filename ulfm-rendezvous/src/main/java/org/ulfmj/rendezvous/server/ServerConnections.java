package org.ulfmj.rendezvous.server;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.SortedMap;
import java.util.TreeMap;
import org.ulfmj.rendezvous.message.RendezvousCodec;
import org.ulfmj.rendezvous.message.RendezvousMessage;
import org.ulfmj.transport.auth.HandshakeException;

/**
 * The connections of a server: which of a process's connections counts, what is read on it, and what is sent. No
 * message is read on a connection before its other end has proved that it knows the job's secret. Used by the server's
 * thread.
 */
final class ServerConnections {
    /** Takes what comes on the connections. */
    interface Hearer {
        /** A process that has proved that it knows the secret has sent a message. */
        void heard(long nonce, RendezvousMessage message);

        /**
         * The handshake of a connection failed, for example because the other end does not know the secret. Called for
         * the first such connection only.
         */
        void stranger(String text);
    }

    private final Door door;
    private final Hearer hearer;

    /** The newest connection of each process, by its nonce. Older connections are read no more. */
    private final SortedMap<Long, ServerConnection> byNonce = new TreeMap<>();

    /**
     * Connections on which a write failed. The messages that the other end had sent before are still read, and then the
     * connection is dropped.
     */
    private final Deque<ServerConnection> broken = new ArrayDeque<>();

    private RendezvousMessage lastMessage;
    private byte[] lastBytes;
    private boolean hasToldOfStrangers;

    ServerConnections(Door door, Hearer hearer) {
        this.door = door;
        this.hearer = hearer;
    }

    /** Accepts connections that wait to be accepted, a limited number per call. */
    void accept(Door.Maker maker) throws IOException {
        door.acceptSome(maker);
    }

    /**
     * When the oldest connection whose other end has not proved itself is to be dropped; {@link Long#MAX_VALUE} if
     * there is none.
     */
    long nextDeadlineNs() {
        return door.nextDeadlineNs();
    }

    /** Drops the connections that have not proved themselves in time. */
    void dropStrangers(long nowNs) {
        door.dropLate(nowNs);
    }

    /** Writes to a connection and reads what has arrived on it, according to what its selection key says is ready. */
    void handle(ServerConnection connection, SelectionKey key) {
        try {
            if (key.isWritable() && !flush(connection)) {
                return;
            }
            if (connection.isEnding()) {
                // The other end of a refused connection has read the refusal, or it sends data where none is expected.
                drop(connection);
            } else if (key.isReadable()) {
                read(connection);
            }
        } catch (IOException broken) {
            drop(connection);
        } catch (HandshakeException stranger) {
            drop(connection);
            if (!hasToldOfStrangers) {
                hasToldOfStrangers = true;
                hearer.stranger(stranger.getMessage());
            }
        }
    }

    private boolean flush(ServerConnection connection) {
        try {
            connection.flush();
            return true;
        } catch (IOException left) {
            broken.add(connection);
            return false;
        }
    }

    private void read(ServerConnection connection) throws IOException, HandshakeException {
        if (!connection.isProven()) {
            if (!connection.shakeHands()) {
                return;
            }
            door.forget(connection);
            // What the process has sent on its older connection is read before what it sends on this one.
            readWhatIsThere(connection.nonce());
            ServerConnection older = byNonce.put(connection.nonce(), connection);
            if (older != null) {
                older.close();
            }
        }
        for (RendezvousMessage message = connection.read(); message != null; message = connection.read()) {
            if (byNonce.get(connection.nonce()) != connection) {
                return;
            }
            dispatch(connection, message);
        }
    }

    private void dispatch(ServerConnection connection, RendezvousMessage message) throws IOException {
        if (message instanceof RendezvousMessage.Join join) {
            if (join.member().nonce() != connection.nonce()) {
                throw new IOException("a process joins as another than it said it is");
            }
        } else if (message instanceof RendezvousMessage.JoinAnywhere join
                && join.joiner().nonce() != connection.nonce()) {
            throw new IOException("a process joins as another than it said it is");
        }
        hearer.heard(connection.nonce(), message);
    }

    /** Reads all that has arrived from the process with this nonce. For null nothing is read. */
    void readWhatIsThere(Long nonce) {
        ServerConnection connection = nonce == null ? null : byNonce.get(nonce);
        if (connection == null) {
            return;
        }
        try {
            read(connection);
        } catch (IOException | HandshakeException broken) {
            drop(connection);
        }
    }

    /** Sends a message on the newest connection of the process with this nonce; if it has none, the message is lost. */
    void send(Long nonce, RendezvousMessage message) {
        ServerConnection connection = byNonce.get(nonce);
        if (connection == null) {
            return;
        }
        if (message != lastMessage) {
            lastMessage = message;
            lastBytes = RendezvousCodec.encode(message);
        }
        try {
            connection.write(lastBytes);
        } catch (IOException left) {
            // The broken connection is not read at this place: the caller that sends is in the middle of a step.
            broken.add(connection);
        }
    }

    /**
     * Reads the last messages on connections to which a write failed, goodbyes above all, and drops the connections. A
     * process that had to wait too long for the launcher's answer ends without it after Finalize.
     */
    void hearLastWords() {
        for (ServerConnection left = broken.poll(); left != null; left = broken.poll()) {
            try {
                if (left.isProven()) {
                    read(left);
                }
            } catch (IOException | HandshakeException end) {
                // The end of the stream comes after the last message, as expected.
            }
            drop(left);
        }
    }

    /**
     * Drops a connection. A dropped connection does not mean that the process has ended: it may connect again, and the
     * launcher tells the server when the process has ended.
     */
    private void drop(ServerConnection connection) {
        connection.close();
        door.forget(connection);
        if (connection.isProven()) {
            byNonce.remove(connection.nonce(), connection);
        }
    }
}
