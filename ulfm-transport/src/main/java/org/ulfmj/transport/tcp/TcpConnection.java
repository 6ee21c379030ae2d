package org.ulfmj.transport.tcp;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import org.ulfmj.protocol.WireFormatException;
import org.ulfmj.transport.Frame;
import org.ulfmj.transport.Payload;
import org.ulfmj.transport.TransportLog;
import org.ulfmj.transport.auth.AcceptorHandshake;
import org.ulfmj.transport.auth.DialerHandshake;
import org.ulfmj.transport.auth.Handshake;
import org.ulfmj.transport.auth.HandshakeAnswer;
import org.ulfmj.transport.auth.HandshakeException;
import org.ulfmj.transport.auth.HandshakeStream;
import org.ulfmj.transport.auth.RandomBytes;
import org.ulfmj.transport.auth.RecordKeys;
import org.ulfmj.transport.auth.Stranger;
import org.ulfmj.transport.record.RecordBuffers;
import org.ulfmj.transport.record.RecordChannel;
import org.ulfmj.transport.record.RecordException;
import org.ulfmj.transport.seat.ReadyHandler;
import org.ulfmj.transport.session.LinkHello;
import org.ulfmj.transport.session.LinkOk;
import org.ulfmj.transport.session.LinkRefusal;
import org.ulfmj.transport.session.LinkSession;

/**
 * One socket to a peer, from its handshake to its end. This class only moves bytes; the {@link LinkSession} decides
 * which connection is used.
 */
final class TcpConnection implements ReadyHandler, Stranger {
    private enum Phase {
        CONNECTING,
        AWAITING_CHALLENGE,
        AWAITING_ANSWER,
        AWAITING_HELLO,
        OPEN,
        /** The dialer was refused: the connection is read to its end, and its bytes are thrown away. */
        REFUSED,
        CLOSED
    }

    /**
     * The size that the kernel is told for the send buffer of a connection to a peer at the same address. For other
     * connections the kernel chooses the size by itself.
     */
    private static final int WITHIN_HOST_SEND_BYTES = Frame.MAX_PAYLOAD_BYTES / 2 + 8 * 1024;

    /**
     * The largest number of reads from one connection per poll, so that other connections have their turn. Encrypted
     * records that were read from the socket already do not count.
     */
    private static final int MAX_READS = 4;

    private final TcpFabric fabric;
    private final SocketChannel channel;
    private final HandshakeStream handshakes;
    private DialerHandshake dialer;
    private AcceptorHandshake acceptor;
    private byte[] challenge;
    /** The link of this connection; null while the other end is a stranger. */
    private TcpLink link;

    private Phase phase;
    private SelectionKey key;
    private FrameDecoder decoder;
    private FrameWriter writer;
    /** Encrypts and decrypts everything after the handshake; null if the connection carries no records. */
    private RecordChannel records;
    /** The memory of {@code records}; null if the connection carries no records. */
    private RecordBuffers recordBuffers;
    /** What the decoder reads. */
    private ReadableByteChannel source;

    private final DirectPlacement placement = new DirectPlacement(this::placeOf);
    /** Whether this connection is to be replaced because its keys have encrypted as much as they may. */
    private boolean isRetiring;

    private boolean hasWriteFailed;
    /**
     * Whether the connection neither reads nor writes any more, like one whose path died in silence (a fault for
     * tests).
     */
    private boolean isSevered;
    /** Whether what arrives is never read, though this end writes on (a fault for tests). */
    private boolean isDeaf;
    /** The link faults of this rank, for tests; null for none. */
    private final LinkFaults faults;
    /** Holds back what arrives (a fault for tests); null if nothing does. */
    private DelayLine line;

    private int lastRead;

    private TcpConnection(TcpFabric fabric, SocketChannel channel, Phase phase) throws IOException {
        this.fabric = fabric;
        this.channel = channel;
        this.faults = fabric.faults();
        this.phase = phase;
        this.handshakes = new HandshakeStream(channel);
        channel.configureBlocking(false);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    }

    static TcpConnection dial(TcpFabric fabric, TcpLink link, Handshake handshake, InetSocketAddress address)
            throws IOException {
        SocketChannel channel = SocketChannel.open();
        try {
            TcpConnection connection = new TcpConnection(fabric, channel, Phase.CONNECTING);
            connection.link = link;
            connection.dialer = handshake.dial(RandomBytes.next(Handshake.NONCE_BYTES));
            boolean isConnected = channel.connect(address);
            if (isConnected) {
                connection.phase = Phase.AWAITING_CHALLENGE;
            }
            connection.key = fabric.seat()
                    .register(channel, isConnected ? SelectionKey.OP_READ : SelectionKey.OP_CONNECT, connection);
            return connection;
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    static TcpConnection accept(TcpFabric fabric, SocketChannel channel, Handshake handshake) throws IOException {
        try {
            TcpConnection connection = new TcpConnection(fabric, channel, Phase.AWAITING_HELLO);
            connection.acceptor = handshake.accept(RandomBytes.next(Handshake.NONCE_BYTES));
            connection.handshakes.write(connection.acceptor.challenge());
            connection.key = fabric.seat().register(channel, SelectionKey.OP_READ, connection);
            return connection;
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    // ---- reading

    @Override
    public void onReady(long nowNs) {
        lastRead = 0;
        if (isSevered || isDeaf) {
            return;
        }
        try {
            switch (phase) {
                case CONNECTING -> connect(nowNs);
                case AWAITING_CHALLENGE -> readChallenge(nowNs);
                case AWAITING_ANSWER -> readAnswer(nowNs);
                case AWAITING_HELLO -> readHello(nowNs);
                case OPEN -> readFrames(nowNs);
                case REFUSED -> readToTheEnd();
                case CLOSED -> {
                    // The selector had found the channel ready before the connection was closed.
                }
            }
        } catch (IOException e) {
            // A separate catch clause for RecordException would load that class also in processes without encrypted
            // records.
            if (records != null && e instanceof RecordException) {
                link.distrusted(this, "what cannot be trusted (" + e.getMessage() + ")");
            }
            lastRead = -1;
            end(nowNs);
        } catch (HandshakeException e) {
            if (link == null) {
                TransportLog.stranger(e.getMessage());
            }
            lastRead = -1;
            end(nowNs);
        }
    }

    /** Whether the operating system of the peer has not yet accepted the TCP connection. */
    boolean isConnecting() {
        return phase == Phase.CONNECTING;
    }

    private void connect(long nowNs) throws IOException, HandshakeException {
        if (channel.finishConnect()) {
            phase = Phase.AWAITING_CHALLENGE;
            fabric.seat().watchFor(key, SelectionKey.OP_READ);
            link.session().onReached(this, nowNs);
            readChallenge(nowNs);
        }
    }

    private void readChallenge(long nowNs) throws IOException, HandshakeException {
        challenge = handshakes.read();
        if (challenge != null) {
            link.session().onChallenge(this, nowNs);
            link.settle(nowNs);
        }
    }

    private void readAnswer(long nowNs) throws IOException, HandshakeException {
        handshakes.flush();
        byte[] message = handshakes.read();
        if (message == null) {
            return;
        }
        HandshakeAnswer answer = dialer.read(message);
        try {
            switch (answer.verdict()) {
                case ACCEPTED -> link.session().onOk(this, LinkOk.of(answer.body()), nowNs);
                case REFUSED -> link.session().onRefusal(this, LinkRefusal.of(answer.body()), nowNs);
                case NO_RECORDS -> {
                    link.demandsRecords(answer.text());
                    link.session().onEnd(this, nowNs);
                }
                case OTHER_VERSION, OTHER_OPTIONS -> {
                    link.refused(answer.text());
                    link.session().onEnd(this, nowNs);
                }
            }
        } catch (WireFormatException e) {
            TransportLog.error("rank " + link.peer() + " answers a connection with " + e.getMessage());
            link.session().onEnd(this, nowNs);
        }
        link.settle(nowNs);
        if (phase == Phase.OPEN) {
            readFrames(nowNs);
        }
    }

    private void readHello(long nowNs) throws IOException, HandshakeException {
        handshakes.flush();
        byte[] message = handshakes.read();
        if (message == null) {
            return;
        }
        byte[] body = acceptor.read(message, fabric.records().protection().covers(channel));
        fabric.strangers().remove(this);
        if (body == null) {
            // The dialer tells its user why.
            handshakes.write(acceptor.mismatch());
            close();
            return;
        }
        try {
            fabric.onHello(this, LinkHello.of(body), nowNs);
        } catch (WireFormatException e) {
            TransportLog.error("a process of this job opens a connection with " + e.getMessage());
            close();
        }
    }

    private void readToTheEnd() throws IOException {
        lastRead = channel.read(fabric.wasteBuffer());
        if (lastRead < 0) {
            throw new EOFException();
        }
    }

    private void readFrames(long nowNs) throws IOException {
        if (link.isHeld()) {
            return;
        }
        // Records that were already read from the socket are all handled now, because the selector would not report
        // them.
        boolean mayHaveMore = true;
        for (int reads = 0; mayHaveMore && (reads < MAX_READS || hasRecords()); reads++) {
            boolean isPlacing = placement.isUnderWay();
            lastRead = isPlacing ? placement.read(source, decoder) : decoder.read(source);
            if (lastRead < 0) {
                throw new EOFException();
            }
            if (lastRead == 0) {
                mayHaveMore = false;
                break;
            }
            boolean isFull = isPlacing ? placement.isFull() : decoder.isFull();
            dispatch(nowNs);
            boolean hasBegunToPlace = placement.isUnderWay() && !isPlacing;
            mayHaveMore = phase == Phase.OPEN && (isFull || hasBegunToPlace || hasRecords());
        }
        if (mayHaveMore) {
            fabric.onInputLeft();
        }
        link.session().flushAckIfDue(nowNs);
        flush();
        link.settle(nowNs);
    }

    private boolean hasRecords() {
        return records != null && records.isReady();
    }

    private void dispatch(long nowNs) {
        LinkSession<TcpConnection> session = link.session();
        // The handling of an envelope may end the connection, or abandon the peer.
        while (phase == Phase.OPEN) {
            if (placement.isUnderWay()) {
                if (!placement.isComplete()) {
                    return;
                }
                handOverPlaced(nowNs);
                continue;
            }
            Frame frame = null;
            try {
                if (faults != null && records == null && decoder.hasNext()) {
                    spoil();
                }
                if (!decoder.next()) {
                    placement.begin(decoder, fabric.incoming());
                    return;
                }
                if (faults != null && decoder.type() == LinkEnvelope.DATA && meetsFault(nowNs)) {
                    continue;
                }
                if (decoder.type() == LinkEnvelope.DATA) {
                    frame = decoder.frame(fabric.incoming());
                }
            } catch (WireFormatException e) {
                distrust(e.getMessage(), nowNs);
                return;
            }
            switch (decoder.type()) {
                case LinkEnvelope.ACK -> session.onAck(this, decoder.ackUpTo(), nowNs);
                case LinkEnvelope.YOU_FAILED -> session.onYouFailed(this, nowNs);
                default -> handOver(frame, nowNs);
            }
        }
    }

    private void spoil() {
        int bit = spoiltBit();
        if (bit >= 0) {
            decoder.spoil(bit);
        }
    }

    private int spoiltBit() {
        return faults.spoiltBit(link.peer().slot());
    }

    /**
     * Applies the faults for tests (drop, repeat, swap) to the frame that the decoder has found. Returns true if the
     * caller must not hand that frame over, because it is dropped or the connection has ended.
     */
    private boolean meetsFault(long nowNs) {
        int sender = link.peer().slot();
        if (faults.drops(sender)) {
            return true;
        }
        if (faults.repeats(sender)) {
            handOver(decoder.frame(fabric.incoming()), nowNs);
        } else if (decoder.hasNext() && faults.swaps(sender)) {
            int first = decoder.begin();
            if (decoder.next() && decoder.type() == LinkEnvelope.DATA) {
                handOver(decoder.frame(fabric.incoming()), nowNs);
            }
            if (phase != Phase.OPEN) {
                return true; // the decoder may belong to another connection by now
            }
            decoder.rewind(first);
            return !decoder.next();
        }
        return phase != Phase.OPEN;
    }

    private Payload placeOf(Frame chunk) {
        boolean isNext = link.session().isNext(this, decoder.sequence());
        return isNext ? fabric.placeOf(link, chunk) : null;
    }

    private void handOverPlaced(long nowNs) {
        Frame chunk = placement.finish();
        int sender = link.peer().slot();
        if (faults != null && records == null && spoiltBit() >= 0) {
            distrust("envelope with a wrong checksum", nowNs);
            return;
        }
        if (faults != null && faults.drops(sender)) {
            return;
        }
        handOver(chunk, nowNs);
        if (faults != null && phase == Phase.OPEN && faults.repeats(sender)) {
            handOver(chunk, nowNs);
        }
    }

    /** Gives up the connection, since its peer sends what cannot be read. */
    private void distrust(String what, long nowNs) {
        link.distrusted(this, "what cannot be read (" + what + ")");
        link.session().onEnd(this, nowNs);
    }

    private void handOver(Frame frame, long nowNs) {
        boolean isNew = isNew(nowNs);
        // A chunk of which a part was thrown away counts as received for the session, but no receive awaits it.
        if (isNew && !(frame.isPlaced() && placement.isWasted())) {
            fabric.deliver(link, decoder.lane(), frame);
        }
    }

    /**
     * Tells the session of the frame that the decoder has found. Returns whether the frame is new, and is to be handed
     * over.
     */
    private boolean isNew(long nowNs) {
        return link.session()
                .onData(
                        this,
                        decoder.sequence(),
                        decoder.ackUpTo(),
                        decoder.isAcknowledgeNow(),
                        decoder.frameBytes(),
                        nowNs);
    }

    /**
     * The time until which bytes that have arrived are held back (a fault for tests); {@link Long#MAX_VALUE} if none
     * are.
     */
    long heldUntilNs() {
        return line == null || phase != Phase.OPEN || isSevered || isDeaf ? Long.MAX_VALUE : line.heldUntilNs();
    }

    /** The memory of the encrypted records of this connection; null if it carries none. */
    RecordBuffers recordBuffers() {
        return recordBuffers;
    }

    /** The number of bytes of the last read; 0 if there were none, −1 at the end of the stream or after a failure. */
    int lastRead() {
        return lastRead;
    }

    // ---- writing

    void sendHello(LinkHello hello) throws IOException, HandshakeException {
        boolean wantsRecords =
                link.isToOfferRecords() || fabric.records().protection().covers(channel);
        handshakes.write(dialer.hello(challenge, hello.toBytes(), wantsRecords));
        phase = Phase.AWAITING_ANSWER;
    }

    void sendOk(LinkOk ok) throws IOException {
        handshakes.write(acceptor.accept(ok.toBytes()));
    }

    void sendRefusal(LinkRefusal refusal) throws IOException {
        handshakes.write(acceptor.refuse(refusal.toBytes()));
        phase = Phase.REFUSED;
    }

    /** Begins to send and receive frames on this connection, whose handshake has ended. */
    void open(TcpLink owner) {
        link = owner;
        decoder = owner.takeDecoder();
        if (faults != null && faults.everDelays(owner.peer().slot())) {
            line = new DelayLine(channel, faults, owner.peer().slot(), fabric::nowNs);
            faults.isDelayed(this);
        }
        source = line == null ? channel : line;
        RecordKeys keys = dialer == null ? acceptor.recordKeys() : dialer.recordKeys();
        owner.queue().check(keys == null);
        if (keys != null) {
            encrypt(keys);
        }
        writer = new FrameWriter(channel, records, owner.queue(), fabric.trap());
        phase = Phase.OPEN;
        settleWithinHost(owner.queue());
    }

    private void encrypt(RecordKeys keys) {
        recordBuffers = link.takeRecordBuffers();
        records = new RecordChannel(keys, source, channel, fabric.records().limitBytes(), recordBuffers);
        source = records;
        decoder.trustChecks();
        if (faults != null) {
            records.spoilBy(this::spoiltBit);
        }
    }

    private void settleWithinHost(SendQueue queue) {
        try {
            InetSocketAddress here = (InetSocketAddress) channel.getLocalAddress();
            InetSocketAddress there = (InetSocketAddress) channel.getRemoteAddress();
            if (here != null && there != null && here.getAddress().equals(there.getAddress())) {
                queue.onWithinHost();
                channel.setOption(StandardSocketOptions.SO_SNDBUF, WITHIN_HOST_SEND_BYTES);
            }
        } catch (IOException e) {
            // The connection has ended already; the next read reports it.
        }
    }

    void belongTo(TcpLink owner) {
        link = owner;
    }

    void sendAck(long upTo) {
        writer.acknowledge(upTo);
    }

    void sendYouFailed() {
        writer.sayYouFailed();
    }

    void halfClose() throws IOException {
        if (phase == Phase.OPEN) {
            writer.askEnd();
            flush();
        } else {
            handshakes.flush();
            channel.shutdownOutput();
        }
    }

    /** Writes as much as the channel takes; new frames only if the session has adopted this connection. */
    void flush() {
        if (phase != Phase.OPEN || hasWriteFailed) {
            return;
        }
        if (isSevered) {
            swallow();
            return;
        }
        boolean isAllWritten;
        try {
            isAllWritten = handshakes.flush()
                    && (link.session().adopted() == this ? writer.flush(link.session()) : writer.flushOwn());
        } catch (IOException e) {
            // The write failed. Bytes that arrived before are still to be read, and the end of the stream too.
            hasWriteFailed = true;
            isAllWritten = true;
        }
        boolean isEndHeld = line != null && line.isAtEnd();
        int reading = link.isHeld() || isDeaf || isEndHeld ? 0 : SelectionKey.OP_READ;
        fabric.seat().watchFor(key, isAllWritten ? reading : reading | SelectionKey.OP_WRITE);
        fabric.onFlushed(this, isAllWritten);
        if (records != null && records.isUsedUp()) {
            retire();
        }
    }

    /**
     * Ends this connection soon, so that another one with other keys takes its place. A link that is not resumed keeps
     * the connection, because no other would follow.
     */
    private void retire() {
        if (!isRetiring && link.isResumed()) {
            isRetiring = true;
            fabric.endLater(this);
        }
    }

    private void swallow() {
        SendQueue queue = link.queue();
        while (link.session().adopted() == this && queue.canWrite(link.session())) {
            queue.nextRun(link.session());
            queue.endRun();
        }
        fabric.onFlushed(this, true);
    }

    /** Reads frames from now on: the link is not held any more. */
    void resume() {
        fabric.seat().watchFor(key, SelectionKey.OP_READ);
        flush();
    }

    // ---- the end

    private void end(long nowNs) {
        if (link == null) {
            fabric.strangers().remove(this);
            close();
        } else {
            link.session().onEnd(this, nowNs);
            link.settle(nowNs);
        }
    }

    /** Ends the connection, unless it is closed already, and reports the end to its session. */
    void endLater(long nowNs) {
        if (phase != Phase.CLOSED) {
            end(nowNs);
        }
    }

    /** Resets the connection: what is unread at this end, or not sent yet, is destroyed. */
    void reset(long nowNs) {
        try {
            channel.setOption(StandardSocketOptions.SO_LINGER, 0);
        } catch (IOException e) {
            // The channel is closed already.
        }
        endLater(nowNs);
    }

    /**
     * Lets the connection neither read nor write from now on, as if its path had died in silence (a fault for tests).
     */
    void sever() {
        isSevered = true;
        fabric.seat().watchFor(key, 0);
    }

    /** Lets the connection read nothing from now on, as if its path had died in one direction (a fault for tests). */
    void deafen() {
        isDeaf = true;
        if (phase == Phase.OPEN) {
            flush();
        } else {
            fabric.seat().watchFor(key, 0);
        }
    }

    @Override
    public void drop() {
        close();
    }

    void close() {
        if (phase != Phase.CLOSED) {
            phase = Phase.CLOSED;
            fabric.onFlushed(this, true);
            if (line != null) {
                faults.hasEnded(this);
            }
            if (writer != null) {
                writer.abort();
                link.giveDecoder(decoder);
                link.giveRecordBuffers(recordBuffers);
            }
            try {
                channel.close();
            } catch (IOException e) {
                // The channel is not used any more, closed or not.
            }
            fabric.seat().onClosed();
        }
    }
}
