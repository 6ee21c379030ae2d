package org.ulfmj.rendezvous.client;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.util.List;
import org.ulfmj.rendezvous.message.RendezvousMessage;
import org.ulfmj.rendezvous.server.StoreHost;
import org.ulfmj.rendezvous.store.StoreRequest;
import org.ulfmj.transport.auth.JobSecret;
import org.ulfmj.transport.record.Protection;

/**
 * A connection to a {@link StoreHost}, for a process that has no slot in a job: it dials, proves that it knows the
 * secret, and then carries requests and answers. Never waits. Not thread-safe.
 */
public final class StoreSocket {
    /** Takes what the host says. */
    public interface Answers {
        void answered(RendezvousMessage.StoreAnswer answer);

        void expired(RendezvousMessage.StoreExpired expired);
    }

    private final ClientConnection connection;

    /**
     * Begins to dial.
     *
     * @param nonce of the caller, the same at each of its dials
     * @param session the session that the host gave at an earlier dial; 0 if there was none
     * @param recordsAnyway whether the host has demanded encrypted records at an earlier dial
     */
    public StoreSocket(
            InetSocketAddress host, String job, long nonce, JobSecret secret, long session, boolean recordsAnyway)
            throws IOException {
        Protection protection = recordsAnyway ? Protection.AEAD : Protection.AUTO;
        connection =
                new ClientConnection(new Caller(host, job, nonce, secret, StoreHost.NO_OPTIONS, protection), session);
    }

    public SocketChannel channel() {
        return connection.channel();
    }

    /** What the channel is to be watched for now: bits of {@link java.nio.channels.SelectionKey}. */
    public int operations() {
        return connection.operations();
    }

    /**
     * Goes on with dialing, proving and writing; true once requests may be sent and answers read.
     *
     * @throws RendezvousException if the host refused for good, or if a stranger listens at its address
     * @throws IOException if this attempt failed; see {@link #demandsRecords}
     */
    public boolean advance() throws IOException {
        return connection.advance();
    }

    /** Whether an attempt failed because it offered no encrypted records: the next attempt is to offer them. */
    public static boolean demandsRecords(IOException failure) {
        return failure instanceof RecordsDemandedException;
    }

    /** A number that tells this host from every other one. Valid after {@link #advance} has returned true. */
    public long boot() {
        return connection.boot();
    }

    /**
     * The number of the session of this process, 0 if it has none any more. Valid after {@link #advance} has returned
     * true.
     */
    public long session() {
        return connection.givenSession();
    }

    /** Sends a request, as far as the channel takes it. To be called after {@link #advance} has returned true. */
    public void ask(long session, long id, List<Long> open, StoreRequest request) throws IOException {
        connection.write(new RendezvousMessage.StoreAsk(session, id, open, request));
    }

    /**
     * Hands over all answers and expiries that have come. To be called after {@link #advance} has returned true.
     *
     * @throws IOException if the connection fails, or another message comes
     */
    public void read(Answers to) throws IOException {
        for (RendezvousMessage message = connection.read(); message != null; message = connection.read()) {
            if (message instanceof RendezvousMessage.StoreAnswer answer) {
                to.answered(answer);
            } else if (message instanceof RendezvousMessage.StoreExpired expired) {
                to.expired(expired);
            } else {
                throw new IOException("the host of a store says " + message);
            }
        }
    }

    public void close() {
        connection.close();
    }
}
