package org.ulfmj.check.link;

import org.ulfmj.sim.Violation;
import org.ulfmj.transport.session.LinkActions;
import org.ulfmj.transport.session.LinkHello;
import org.ulfmj.transport.session.LinkIdentity;
import org.ulfmj.transport.session.LinkOk;
import org.ulfmj.transport.session.LinkRefusal;
import org.ulfmj.transport.session.LinkSession;

/**
 * One process's side of its session with one peer. Does the work that a transport does for the session, and keeps
 * counts for the invariants.
 */
final class PeerLink implements LinkActions<Connection.End> {
    private final LinkWorld world;
    private final LinkHost host;
    private final LinkIdentity peer;
    private final LinkSession<Connection.End> session;

    private long offered;
    private long goodbye;
    private long delivered;
    private long acknowledged;
    private boolean isLost;
    private boolean wasLost;
    private boolean isExcluded;
    private boolean hasMarked;
    private boolean wasAdoptedAtMark;
    private boolean markedBeforeEnd;
    private boolean hasDeparted;
    private LinkIdentity successor;
    /**
     * The connection that the session has closed last since it began to handle the last message, if until then both
     * processes had adopted it and could use it; otherwise null.
     */
    private Connection.End closedGood;

    PeerLink(LinkWorld world, LinkHost host, LinkIdentity peer) {
        this.world = world;
        this.host = host;
        this.peer = peer;
        this.session = new LinkSession<>(host.identity(), peer, LinkWorld.TIMING, this);
    }

    LinkIdentity peer() {
        return peer;
    }

    LinkSession<Connection.End> session() {
        return session;
    }

    LinkHost host() {
        return host;
    }

    /** How many frames of the peer this process has received, in order. */
    long delivered() {
        return delivered;
    }

    boolean isLost() {
        return isLost;
    }

    boolean wasLost() {
        return wasLost;
    }

    boolean isExcluded() {
        return isExcluded;
    }

    boolean hasMarked() {
        return hasMarked;
    }

    /**
     * Whether, when this process marked the peer failed, there was a good connection over which the peer could be told
     * so.
     */
    boolean wasAdoptedAtMark() {
        return wasAdoptedAtMark;
    }

    /** Whether the peer was still running when this process marked it failed. */
    boolean markedBeforeEnd() {
        return markedBeforeEnd;
    }

    /** Whether this process has offered its goodbye to the session, which may not have written it. */
    boolean saidGoodbye() {
        return goodbye > 0;
    }

    boolean hasDeparted() {
        return hasDeparted;
    }

    /**
     * Returns and forgets a later process of the peer's slot that has proved to be the peer's successor; null if there
     * is none.
     */
    LinkIdentity takeSuccessor() {
        LinkIdentity taken = successor;
        successor = null;
        return taken;
    }

    /** Offers a frame. Returns whether the session takes it. */
    boolean offer(long nowNs) {
        boolean isOpen = !session.isClosedToFrames();
        if (isOpen) {
            offered++;
            session.onOffered(nowNs);
        }
        return isOpen;
    }

    /**
     * Whether frames for the peer are unacknowledged, or the peer is reported lost, while the session still takes
     * frames.
     */
    boolean hasUndelivered() {
        return !session.isClosedToFrames() && (acknowledged < offered || isLost);
    }

    void leave(long nowNs) {
        if (session.isOpen()) {
            offer(nowNs);
            goodbye = offered;
        }
        session.leave(nowNs);
    }

    void mark(long nowNs) {
        if (!hasMarked) {
            hasMarked = true;
            Connection.End adopted = session.adopted();
            markedBeforeEnd = world.isRunning(peer);
            wasAdoptedAtMark = adopted != null && adopted.connection().isGood();
            session.mark(nowNs);
        }
    }

    void depart(long nowNs) {
        hasDeparted = true;
        session.depart(nowNs);
    }

    /** Writes as many frames as the session may write, up to a limit. */
    void write(long limit) {
        for (long left = limit; left > 0 && session.canWrite(); left--) {
            long sequence = session.nextToWrite();
            Connection.End end = session.adopted();
            long ackUpTo = session.onWrite();
            end.send(new LinkMessage.Data(
                    sequence, ackUpTo, sequence, world.drawAtOnce() || sequence == goodbye, sequence == goodbye));
        }
    }

    /** Reads a message of this session, or of an attempt to open it. */
    void read(Connection.End end, LinkMessage message, long nowNs) {
        closedGood = null;
        if (message instanceof LinkMessage.Challenge) {
            session.onChallenge(end, nowNs);
        } else if (message instanceof LinkMessage.Hello hello) {
            session.onHello(end, hello.hello(), nowNs);
        } else if (message instanceof LinkMessage.Ok ok) {
            session.onOk(end, ok.ok(), nowNs);
        } else if (message instanceof LinkMessage.Refusal refusal) {
            session.onRefusal(end, refusal.refusal(), nowNs);
        } else if (message instanceof LinkMessage.Ack ack) {
            session.onAck(end, ack.upTo(), nowNs);
        } else if (message instanceof LinkMessage.YouFailed) {
            session.onYouFailed(end, nowNs);
        } else if (message instanceof LinkMessage.EndOfFile) {
            session.onEnd(end, nowNs);
        } else if (message instanceof LinkMessage.Data data) {
            readData(end, data, nowNs);
        }
    }

    private void readData(Connection.End end, LinkMessage.Data data, long nowNs) {
        if (!session.onData(end, data.sequence(), data.ackUpTo(), data.atOnce(), 100, nowNs)) {
            return;
        }
        if (hasMarked || !end.other().owner().identity().equals(peer)) {
            throw new Violation("nothing counts after the mark or from another incarnation: " + host + " takes " + data
                    + " from " + peer + (hasMarked ? ", which it has marked" : ""));
        }
        if (data.number() != delivered + 1) {
            throw new Violation("frames arrive once and in order: " + host + " takes " + data + " from " + peer
                    + " after " + delivered);
        }
        delivered++;
        if (data.goodbye() && acknowledged < data.ackUpTo()) {
            throw new Violation("a goodbye acknowledges what its sender has received: " + host + " takes " + data
                    + " of " + peer + ", acknowledged " + acknowledged);
        }
        if (data.goodbye()) {
            depart(nowNs);
            host.home().departed(peer);
        } else {
            host.home().takes(peer, data.number());
        }
    }

    @Override
    public Connection.End dial() {
        return world.dial(host, peer.id().slot());
    }

    @Override
    public void sendHello(Connection.End end, LinkHello hello) {
        end.send(new LinkMessage.Hello(hello));
    }

    @Override
    public void sendOk(Connection.End end, LinkOk ok) {
        if (isGood(session.adopted())) {
            throw displaced();
        }
        end.send(new LinkMessage.Ok(ok));
    }

    /** Whether both processes have adopted this connection, and can use it. */
    private boolean isGood(Connection.End end) {
        PeerLink theirs = end == null ? null : end.other().owner().linkTo(host.identity());
        return theirs != null
                && theirs.session.adopted() == end.other()
                && end.connection().isGood();
    }

    private Violation displaced() {
        return new Violation("a good connection is not displaced: " + session + " takes another one");
    }

    @Override
    public void sendRefusal(Connection.End end, LinkRefusal refusal) {
        world.sawRefusal(refusal);
        end.send(new LinkMessage.Refusal(refusal));
    }

    @Override
    public void sendYouFailed(Connection.End end) {
        end.send(new LinkMessage.YouFailed());
    }

    @Override
    public void sendAck(Connection.End end, long ackUpTo) {
        end.send(new LinkMessage.Ack(ackUpTo));
    }

    @Override
    public void halfClose(Connection.End end) {
        end.halfClose();
    }

    @Override
    public void close(Connection.End end) {
        closedGood = end == session.adopted() && isGood(end) ? end : null;
        end.close();
    }

    /** Only checks that no good connection was displaced: frames are written after the step anyway. */
    @Override
    public void adopted(Connection.End end) {
        if (closedGood != null) {
            throw displaced();
        }
    }

    @Override
    public void acknowledged(long upTo) {
        PeerLink theirs = world.linkOf(peer, host.identity());
        if (upTo < acknowledged || theirs == null || theirs.delivered < upTo) {
            throw new Violation("what is acknowledged was delivered: " + session + " frees " + upTo + ", the peer has "
                    + (theirs == null ? "nothing" : theirs.delivered));
        }
        acknowledged = upTo;
    }

    /** Does nothing: there are no buffers here. */
    @Override
    public void discarded() {}

    @Override
    public void lost() {
        isLost = true;
        wasLost = true;
        host.home().lost(peer);
    }

    @Override
    public void restored() {
        isLost = false;
    }

    @Override
    public void distrusted(Connection.End end, String what) {
        throw new Violation("no process sends what cannot be true: " + peer + " to " + host + ", " + what);
    }

    @Override
    public void excluded() {
        isExcluded = true;
        PeerLink theirs = world.linkOf(peer, host.identity());
        if (theirs == null || !theirs.hasMarked) {
            throw new Violation("only the marked are told so: " + host + " by " + peer);
        }
        host.home().excluded(peer);
    }

    @Override
    public void superseded(LinkIdentity by) {
        successor = by;
    }

    /** Must not happen: no two processes here have the same identity. */
    @Override
    public void misnamed(LinkIdentity other) {
        throw new Violation("no process is taken for another: " + host + " hears of " + other);
    }

    @Override
    public String toString() {
        return session.toString();
    }
}
