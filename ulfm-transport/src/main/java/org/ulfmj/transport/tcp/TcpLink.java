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
import org.ulfmj.transport.session.LinkActions;
import org.ulfmj.transport.session.LinkHello;
import org.ulfmj.transport.session.LinkIdentity;
import org.ulfmj.transport.session.LinkOk;
import org.ulfmj.transport.session.LinkRefusal;
import org.ulfmj.transport.session.LinkSession;

/** One peer: its session, the frames that wait for it, and the sockets that the session asks for. */
final class TcpLink implements LinkActions<TcpConnection> {
    private static final int MAX_READS = 100;

    private final TcpFabric fabric;
    private final LinkIdentity peer;
    /** Where the peer listens; null while it has called and its address is not known. */
    private InetSocketAddress address;

    private final SendQueue queue = new SendQueue();
    private final LinkSession<TcpConnection> session;

    /** All that are open, for any purpose. */
    private final List<TcpConnection> connections = new ArrayList<>(2);

    private TcpConnection dialing;
    /** The peer was not admitted: what it sends waits in the socket. */
    private boolean isHeld;
    /** While it is drained: until when. */
    private long drainUntilNs;

    private boolean isDraining;
    /** What had arrived was handed over; nothing more is. */
    private boolean isSilenced;
    /** Polls for which this link is read directly, no matter what the selector says. */
    private int attention;

    TcpLink(TcpFabric fabric, LinkIdentity self, LinkIdentity peer, InetSocketAddress address, Timing timing) {
        this.fabric = fabric;
        this.peer = peer;
        this.address = address;
        this.session = new LinkSession<>(self, peer, timing, this);
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
        if (session.isClosedToFrames()) {
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

    void hold() {
        isHeld = true;
    }

    boolean isHeld() {
        return isHeld;
    }

    /** What waits in the sockets is read from now on. */
    void letGo() {
        if (isHeld) {
            isHeld = false;
            for (TcpConnection connection : connections.toArray(new TcpConnection[0])) {
                connection.resume();
            }
        }
    }

    /** The peer is admitted. */
    void invite(InetSocketAddress newAddress) {
        address = newAddress;
        letGo();
    }

    void onTick(long nowNs) {
        if (session.nextDeadlineNs() - nowNs <= 0) {
            session.onTick(nowNs);
        }
        settle(nowNs);
    }

    /** No socket of it is open. */
    boolean isClosed() {
        return connections.isEmpty();
    }

    /** After anything that the session was told. */
    void settle(long nowNs) {
        TcpConnection connection = session.adopted();
        if (connection != null) {
            connection.flush();
        }
        fabric.onDeadline(session.nextDeadlineNs());
    }

    void onHello(TcpConnection connection, LinkHello hello, long nowNs) {
        connections.add(connection);
        session.onHello(connection, hello, nowNs);
        settle(nowNs);
    }

    /** Reads until nothing more is there; a live peer that sends without end is not waited for. */
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

    /** The peer may have adopted the connection that we dial, and written to it, before we have read its answer. */
    private void readAnswer(long nowNs) {
        if (session.adopted() == null) {
            read(nowNs);
        }
    }

    /** Cuts everything. */
    void closeConnections() {
        for (TcpConnection connection : connections.toArray(new TcpConnection[0])) {
            connection.close();
        }
    }

    /** Reads what is there, without the selector. */
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

    /** Whether this link is still to be read directly; {@code hadInput} says whether that was worth it. */
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
     * Reads on; returns whether everything that had arrived was read. The end of the time ends the waiting, not the
     * reading: what our kernel has by then has arrived, however late this thread comes to read it.
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
        dialing = fabric.dial(this, address);
        if (dialing != null) {
            connections.add(dialing);
        }
        return dialing;
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
    public void broken() {
        if (!isDraining) {
            fabric.post(LinkEvent.BROKEN, peer.id());
        }
    }

    @Override
    public void restored() {
        fabric.post(LinkEvent.RESTORED, peer.id());
    }

    @Override
    public void excluded() {
        fabric.post(LinkEvent.EXCLUDED, peer.id());
    }

    @Override
    public void superseded(LinkIdentity by) {
        // Any process that starts a process of a slot again tells of the end of the one before.
        TransportLog.error("where rank " + peer.id() + " listened its successor " + by + " answers");
    }

    @Override
    public void misnamed(LinkIdentity other) {
        TransportLog.error("another process calls itself rank " + other.id() + ": its nonce is "
                + Long.toHexString(other.nonce()) + ", not " + Long.toHexString(peer.nonce()));
    }
}
