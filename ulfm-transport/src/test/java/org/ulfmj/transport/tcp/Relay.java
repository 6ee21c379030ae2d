package org.ulfmj.transport.tcp;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * A proxy between the ranks that dial a rank and that rank's listener. It records each piece as it came, and its
 * {@link Meddler} may change what is passed on. A test polls it as it polls its fabrics.
 */
final class Relay implements AutoCloseable {
    /**
     * Decides what is passed on of the pieces of a connection: messages of the handshake first, and then records or,
     * where there are none, the bytes as they come.
     */
    interface Meddler {
        /**
         * @param connection number, which no other connection of the same pair of ranks has
         * @param isOfDialer whether the dialer has sent the piece
         * @param piece number of the piece in its direction, from 0
         * @param isHandshake whether the piece is a message of the handshake
         * @return what is passed on in the place of the piece
         */
        List<byte[]> pass(int connection, boolean isOfDialer, int piece, boolean isHandshake, byte[] bytes);
    }

    static final Meddler HONEST = (connection, isOfDialer, piece, isHandshake, bytes) -> List.of(bytes);

    private static final int LENGTH_OF_HANDSHAKE = 2;
    private static final int LENGTH_OF_RECORD = 4;

    final ByteArrayOutputStream recorded = new ByteArrayOutputStream();
    Meddler meddler = HONEST;
    private final ServerSocketChannel door;
    private final InetSocketAddress listener;
    private final boolean hasRecords;
    private final int firstConnection;
    private final List<Pipe> pipes = new ArrayList<>();
    private int connections;

    /**
     * @param hasRecords whether records follow the handshake; if not, the bytes are passed on as they come
     * @param firstConnection the number of the relay's first connection
     */
    Relay(int port, boolean hasRecords, int firstConnection) throws IOException {
        this.firstConnection = firstConnection;
        this.listener = new InetSocketAddress("127.0.0.1", port);
        this.hasRecords = hasRecords;
        this.door = ServerSocketChannel.open().bind(new InetSocketAddress("127.0.0.1", 0));
        door.configureBlocking(false);
    }

    int port() {
        try {
            return ((InetSocketAddress) door.getLocalAddress()).getPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    int connections() {
        return connections;
    }

    void poll() {
        try {
            SocketChannel caller = door.accept();
            if (caller != null) {
                SocketChannel called = SocketChannel.open(listener);
                caller.configureBlocking(false);
                called.configureBlocking(false);
                pipes.add(new Pipe(firstConnection + connections, true, caller, called));
                pipes.add(new Pipe(firstConnection + connections, false, called, caller));
                connections++;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        for (Pipe pipe : pipes) {
            pipe.poll();
        }
    }

    @Override
    public void close() throws IOException {
        door.close();
        for (Pipe pipe : pipes) {
            pipe.from.close();
        }
    }

    private final class Pipe {
        private final int connection;
        private final boolean isOfDialer;
        private final SocketChannel from;
        private final SocketChannel to;
        private final Deque<ByteBuffer> waiting = new ArrayDeque<>();
        private ByteBuffer in = ByteBuffer.allocate(1 << 20);
        private boolean isEnded;
        private int pieces;

        Pipe(int connection, boolean isOfDialer, SocketChannel from, SocketChannel to) {
            this.connection = connection;
            this.isOfDialer = isOfDialer;
            this.from = from;
            this.to = to;
        }

        void poll() {
            try {
                if (!isEnded) {
                    int count = from.read(in);
                    passPieces();
                    isEnded = count < 0;
                }
                while (!waiting.isEmpty()) {
                    to.write(waiting.peek());
                    if (waiting.peek().hasRemaining()) {
                        return;
                    }
                    waiting.remove();
                }
                if (isEnded && to.isOpen()) {
                    to.shutdownOutput();
                }
            } catch (IOException ended) {
                isEnded = true;
                waiting.clear();
                closeBoth();
            }
        }

        private void closeBoth() {
            try {
                from.close();
                to.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private void passPieces() {
            in.flip();
            for (int length = nextPiece(); length > 0; length = nextPiece()) {
                byte[] piece = new byte[length];
                in.get(piece);
                recorded.writeBytes(piece);
                boolean isHandshake = isInHandshake();
                for (byte[] bytes : meddler.pass(connection, isOfDialer, pieces, isHandshake, piece)) {
                    waiting.add(ByteBuffer.wrap(bytes));
                }
                pieces++;
            }
            in.compact();
        }

        /** A dialer sends one message of the handshake, a listener two. */
        private boolean isInHandshake() {
            return pieces < (isOfDialer ? 1 : 2);
        }

        /** The length of the next piece if it has arrived completely; else 0. */
        private int nextPiece() {
            int available = in.remaining();
            if (!isInHandshake() && !hasRecords) {
                return available;
            }
            int head = isInHandshake() ? LENGTH_OF_HANDSHAKE : LENGTH_OF_RECORD;
            if (available < head) {
                return 0;
            }
            int length = head;
            for (int i = 0; i < head; i++) {
                length += (in.get(in.position() + i) & 0xff) << 8 * i;
            }
            return available < length ? 0 : length;
        }
    }
}
