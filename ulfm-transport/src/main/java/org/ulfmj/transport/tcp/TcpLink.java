package org.ulfmj.transport.tcp;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.Timing;
import org.ulfmj.transport.Frame;
import org.ulfmj.transport.LaneKind;
import org.ulfmj.transport.TransportLog;
import org.ulfmj.transport.auth.HandshakeException;
import org.ulfmj.transport.record.RecordBuffers;
import org.ulfmj.transport.session.LinkActions;
import org.ulfmj.transport.session.LinkHello;
import org.ulfmj.transport.session.LinkIdentity;
import org.ulfmj.transport.session.LinkOk;
import org.ulfmj.transport.session.LinkRefusal;
import org.ulfmj.transport.session.LinkSession;

/**
 * The link to one peer: its session, the frames that wait to be sent, and the sockets that the session has asked for.
 */
final class TcpLink implements LinkActions<TcpConnection> {
    private static final int MAX_READS = 100;

    private final TcpFabric fabric;
    private final LinkIdentity peer;
    /** The address of the peer's listener; null for a peer that has called this rank and was not admitted. */
    private InetSocketAddress address;

    /** Whether a lost connection is followed by a new one. */
    private final boolean isResumed;

    private final SendQueue queue;
    private final LinkSession<TcpConnection> session;

    /** All open connections of the link, adopted or not. */
    private final List<TcpConnection> connections = new ArrayList<>(2);

    private TcpConnection dialing;
    /** The decoder of a connection that has ended, for the next one; null if there is none. */
    private FrameDecoder spareDecoder;
    /** The memory of the records of a connection that has ended, for the next one; null if there is none. */
    private RecordBuffers spareRecordBuffers;
    /** Whether an error of the peer was logged. Only the first is: a peer with a fault may repeat it at each dial. */
    private boolean isErrorTold;
    /** Whether the rank was told that the peer's process bears another name. */
    private boolean isRenameTold;
    /** Whether the peer has refused a connection that offered no records: every later one offers them. */
    private boolean isToOfferRecords;
    /** Whether the fabric was told that the link has lost its connection and is to get another one. */
    private boolean isRecovering;

    /** Whether the frames of the peer, which was not admitted yet, wait unread in the sockets. */
    private boolean isHeld;
    /** The time after which the drain of the dead peer waits for no more bytes. */
    private long drainUntilNs;

    private boolean isDraining;
    /** Whether no frame is handed over any more: the link was drained. */
    private boolean isSilenced;
    /** The number of polls for which this link is still read directly, without asking the selector. */
    private int attention;

    TcpLink(
            TcpFabric fabric,
            LinkIdentity self,
            LinkIdentity peer,
            InetSocketAddress address,
            Timing timing,
            boolean isResumed) {
        this.fabric = fabric;
        this.peer = peer;
        this.address = address;
        this.isResumed = isResumed;
        this.queue = new SendQueue(fabric.linkMemory());
        this.session = new LinkSession<>(self, peer, timing, this, isResumed);
    }

    ProcessId peer() {
        return peer.id();
    }

    LinkIdentity identity() {
        return peer;
    }

    LinkSession<TcpConnection> session() {
        return session;
    }

    SendQueue queue() {
        return queue;
    }

    boolean offer(LaneKind lane, Frame frame, long nowNs) {
        if (session.isClosedToFrames() || frame.isHeartbeat() && queue.hasHeartbeatToWrite()) {
            return true;
        }
        if (!queue.append(lane, frame)) {
            return false;
        }
        session.onOffered(nowNs);
        if (frame.mayLinger() && session.adopted() != null && queue.isGathering()) {
            fabric.flushSoon(session.adopted(), nowNs);
        } else {
            settle(nowNs);
        }
        return true;
    }

    boolean isResumed() {
        return isResumed;
    }

    void hold() {
        isHeld = true;
    }

    boolean isHeld() {
        return isHeld;
    }

    /** Reads from now on the frames that have waited in the sockets. */
    void letGo() {
        if (isHeld) {
            isHeld = false;
            for (TcpConnection connection : connections.toArray(new TcpConnection[0])) {
                connection.resume();
            }
        }
    }

    /** Whether the peer has called this rank and was not admitted, so that its address is not known. */
    boolean isStranger() {
        return address == null;
    }

    /** The peer was admitted: its listener has this address, and its frames are read from now on. */
    void invite(InetSocketAddress newAddress) {
        address = newAddress;
        letGo();
    }

    void onTick(long nowNs) {
        if (session.nextDeadlineNs() - nowNs <= 0) {
            if (session.isTimerDue(nowNs)) {
                readAll(nowNs); // an acknowledgement that has arrived counts, however late this thread reads it
            }
            session.onTick(nowNs);
        }
        settle(nowNs);
    }

    /** A decoder for a connection of this link that begins to carry frames. */
    FrameDecoder takeDecoder() {
        FrameDecoder taken = spareDecoder == null ? new FrameDecoder() : spareDecoder;
        spareDecoder = null;
        return taken;
    }

    /** Keeps the decoder of a connection that has ended: connections may be lost again and again. */
    void giveDecoder(FrameDecoder decoder) {
        decoder.reset();
        spareDecoder = decoder;
    }

    /** Memory for a connection of this link that begins to carry records. */
    RecordBuffers takeRecordBuffers() {
        RecordBuffers taken = spareRecordBuffers == null ? new RecordBuffers() : spareRecordBuffers;
        spareRecordBuffers = null;
        return taken;
    }

    /**
     * Keeps the memory of the records of a connection that has ended. Does nothing for null: that connection had no
     * records.
     */
    void giveRecordBuffers(RecordBuffers buffers) {
        if (buffers != null) {
            spareRecordBuffers = buffers;
        }
    }

    /** Whether no socket of the link is open. */
    boolean isClosed() {
        return connections.isEmpty();
    }

    /**
     * Writes what the session now allows, and takes over its next deadline. To be called after calls that may have
     * changed the session.
     */
    void settle(long nowNs) {
        TcpConnection connection = session.adopted();
        if (connection != null) {
            connection.flush();
        }
        if (session.isRecovering() != isRecovering) {
            isRecovering = !isRecovering;
            fabric.onRecovering(isRecovering);
        }
        fabric.onDeadline(session.nextDeadlineNs());
    }

    void onHello(TcpConnection connection, LinkHello hello, long nowNs) {
        connections.add(connection);
        session.onHello(connection, hello, nowNs);
        settle(nowNs);
    }

    /**
     * Reads until no more bytes are there, but only a limited number of times, because a live peer may send without
     * end.
     */
    void readAll(long nowNs) {
        readAnswer(nowNs);
        for (int reads = 0; reads < MAX_READS && session.adopted() != null; reads++) {
            TcpConnection connection = session.adopted();
            connection.onReady(nowNs);
            if (connection.lastRead() <= 0) {
                return;
            }
        }
    }

    /**
     * Reads the answer to a connection that this rank has dialed. The peer may have adopted the connection, and written
     * frames to it, before this rank has read the answer.
     */
    private void readAnswer(long nowNs) {
        if (session.adopted() == null) {
            read(nowNs);
        }
    }

    /** Closes all connections of the link at once. */
    void closeConnections() {
        for (TcpConnection connection : connections.toArray(new TcpConnection[0])) {
            connection.close();
        }
    }

    /** Resets all connections of the link, as a faulty network does. */
    void resetConnections(long nowNs) {
        for (TcpConnection connection : connections.toArray(new TcpConnection[0])) {
            connection.reset(nowNs);
        }
    }

    /**
     * For tests: if nothing of the peer is to arrive any more, lets all connections of the link read nothing; if also
     * nothing is to reach the peer, lets them neither read nor write. If only the peer is not to be reached, this end
     * does nothing, because the peer does the same at its end.
     */
    void severConnections(boolean isDeaf, boolean isUnheard) {
        for (TcpConnection connection : connections) {
            if (isDeaf && isUnheard) {
                connection.sever();
            } else if (isDeaf) {
                connection.deafen();
            }
        }
    }

    /** Reads once, without asking the selector, the connection that the session has adopted, or else the dialed one. */
    void read(long nowNs) {
        TcpConnection connection = session.adopted() != null ? session.adopted() : dialing;
        if (connection != null) {
            connection.onReady(nowNs);
        }
    }

    // ---- attention

    void attend(int polls) {
        attention = polls;
    }

    /**
     * Whether this link is still to be read directly. Called after each direct read.
     *
     * @param hadInput whether the read brought a frame
     */
    boolean isAttended(boolean hadInput, int polls) {
        attention = hadInput ? polls : attention - 1;
        return attention > 0;
    }

    // ---- drain

    void drain(long untilNs) {
        isDraining = true;
        drainUntilNs = untilNs;
    }

    long drainUntilNs() {
        return drainUntilNs;
    }

    /**
     * Reads on what a dead peer has sent. Returns whether the drain is over. The end of its time ends the waiting for
     * more bytes, not at once the reading: bytes that this host's kernel has by then have arrived, however late this
     * thread reads them. Only the number of such late reads is limited.
     */
    boolean continueDrain(long nowNs) {
        readAnswer(nowNs);
        for (int lateReads = 0; session.adopted() != null && lateReads < MAX_READS; ) {
            TcpConnection connection = session.adopted();
            connection.onReady(nowNs);
            boolean isLate = nowNs - drainUntilNs >= 0;
            if (connection.lastRead() == 0) {
                if (!isLate) {
                    return false;
                }
                break;
            }
            lateReads += isLate ? 1 : 0;
            nowNs = fabric.nowNs();
        }
        isSilenced = true;
        return true;
    }

    /** Whether frames of the peer are handed over. */
    boolean isHeard() {
        return !isSilenced;
    }

    // ---- what the session asks for

    @Override
    public TcpConnection dial() {
        if (isDraining || address == null) {
            return null; // the peer is dead, or has called and may call again
        }
        dialing = fabric.dial(this, address);
        if (dialing != null) {
            connections.add(dialing);
        }
        return dialing;
    }

    @Override
    public boolean isReached(TcpConnection connection) {
        return !connection.isConnecting();
    }

    @Override
    public void sendHello(TcpConnection connection, LinkHello hello) {
        try {
            connection.sendHello(hello);
        } catch (IOException | HandshakeException e) {
            fabric.endLater(connection);
        }
    }

    @Override
    public void sendOk(TcpConnection connection, LinkOk ok) {
        try {
            connection.sendOk(ok);
        } catch (IOException e) {
            fabric.endLater(connection);
        }
    }

    @Override
    public void sendRefusal(TcpConnection connection, LinkRefusal refusal) {
        try {
            connection.sendRefusal(refusal);
        } catch (IOException e) {
            fabric.endLater(connection);
        }
    }

    @Override
    public void sendYouFailed(TcpConnection connection) {
        connection.sendYouFailed();
    }

    @Override
    public void sendAck(TcpConnection connection, long ackUpTo) {
        connection.sendAck(ackUpTo);
    }

    @Override
    public void halfClose(TcpConnection connection) {
        try {
            connection.halfClose();
        } catch (IOException e) {
            fabric.endLater(connection);
        }
    }

    @Override
    public void close(TcpConnection connection) {
        connection.close();
        connections.remove(connection);
        if (connection == dialing) {
            dialing = null;
        }
    }

    @Override
    public void adopted(TcpConnection connection) {
        if (connection == dialing) {
            dialing = null;
        }
        queue.rewind();
        connection.open(this);
    }

    @Override
    public void acknowledged(long upTo) {
        queue.onAcknowledged(upTo);
    }

    @Override
    public void discarded() {
        queue.discard();
    }

    @Override
    public void lost() {
        if (!isDraining && !isHeld) {
            fabric.post(LinkEvent.LOST, peer.id());
        }
    }

    @Override
    public void restored() {
        fabric.post(LinkEvent.RESTORED, peer.id());
    }

    @Override
    public void distrusted(TcpConnection connection, String what) {
        tell("rank " + peer.id() + " sends " + what + ": connection closed");
    }

    /**
     * The peer has refused a dial for lack of records. The next dial offers them. If it must not, or if the refused one
     * offered them for this reason already, the refusal is reported instead.
     */
    void demandsRecords(String why) {
        if (isToOfferRecords || !fabric.records().protection().yields()) {
            refused(why);
            return;
        }
        isToOfferRecords = true;
        TransportLog.otherView("rank " + peer.id() + " at " + address);
    }

    /** Whether connections to the peer offer records, no matter what this rank sees of the path. */
    boolean isToOfferRecords() {
        return isToOfferRecords;
    }

    /**
     * Reports that the peer has refused a connection of this process, for a reason for which it will refuse later ones
     * too.
     */
    void refused(String why) {
        tell("rank " + peer.id() + " refuses a connection: " + why);
    }

    private void tell(String error) {
        if (!isErrorTold) {
            isErrorTold = true;
            TransportLog.error(error);
        }
    }

    @Override
    public void excluded() {
        fabric.post(LinkEvent.EXCLUDED, peer.id());
    }

    @Override
    public void superseded(LinkIdentity by) {
        // This is not the place to report a failure: the launcher, which started the later process, reports the end of
        // the earlier one.
        tell("where rank " + peer.id() + " listened its successor " + by + " answers");
    }

    @Override
    public void renamed(LinkIdentity other) {
        if (!isRenameTold) {
            isRenameTold = true;
            fabric.post(LinkEvent.NOT_ME, peer.id());
        }
    }

    @Override
    public void misnamed(LinkIdentity other) {
        tell("another process calls itself rank " + other.id() + ": its nonce is " + Long.toHexString(other.nonce())
                + ", not " + Long.toHexString(peer.nonce()));
    }
}
