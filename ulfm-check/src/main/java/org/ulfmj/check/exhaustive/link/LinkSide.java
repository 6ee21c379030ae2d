package org.ulfmj.check.exhaustive.link;

import org.ulfmj.check.link.LinkMessage;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.Timing;
import org.ulfmj.sim.Violation;
import org.ulfmj.transport.session.LinkActions;
import org.ulfmj.transport.session.LinkHello;
import org.ulfmj.transport.session.LinkIdentity;
import org.ulfmj.transport.session.LinkOk;
import org.ulfmj.transport.session.LinkRefusal;
import org.ulfmj.transport.session.LinkSession;

/**
 * One of the two processes of a world of links: its session, and counts of the frames that it has offered and received.
 */
final class LinkSide implements LinkActions<Wire> {
    private static final Timing TIMING = Timing.fromTimeout(5_000_000_000L);

    private final int slot;
    private final LinkPair world;
    private final LinkSession<Wire> session;
    private long offered;
    private long goodbye;
    private long delivered;
    private long acknowledged;
    private boolean isLost;
    private boolean isExcluded;
    private boolean hasMarked;
    private boolean hasMet;
    private boolean isLeaving;
    private boolean hasDeparted;
    private boolean hasEnded;
    /**
     * The connection that the session has closed last since it began to handle its last message, if that was its
     * adopted one and good; else null.
     */
    private Wire closedGood;

    LinkSide(int slot, LinkPair world) {
        this.slot = slot;
        this.world = world;
        this.session = new LinkSession<>(identity(slot), identity(1 - slot), TIMING, this);
    }

    private static LinkIdentity identity(int slot) {
        return new LinkIdentity(ProcessId.of(slot), slot + 1);
    }

    int slot() {
        return slot;
    }

    LinkSession<Wire> session() {
        return session;
    }

    long offered() {
        return offered;
    }

    /** How many frames the process has received. */
    long delivered() {
        return delivered;
    }

    boolean hasMarked() {
        return hasMarked;
    }

    /** Whether the session has ever adopted a connection, also one that it has lost since. */
    boolean hasMet() {
        return hasMet;
    }

    boolean isLeaving() {
        return isLeaving;
    }

    private LinkSide other() {
        return world.side(1 - slot);
    }

    // ---- steps

    void offer() {
        if (!session.isClosedToFrames()) {
            offered++;
            session.onOffered(world.nowNs());
        }
    }

    void mark() {
        hasMarked = true;
        session.mark(world.nowNs());
    }

    void leave() {
        isLeaving = true;
        if (session.isOpen()) {
            offer();
            goodbye = offered;
        }
        session.leave(world.nowNs());
    }

    void depart() {
        hasDeparted = true;
        session.depart(world.nowNs());
    }

    boolean hasDeparted() {
        return hasDeparted;
    }

    /** Notes that the process has ended. The caller closes the connections that are left. */
    void end() {
        hasEnded = true;
    }

    boolean hasEnded() {
        return hasEnded;
    }

    void write() {
        long sequence = session.nextToWrite();
        Wire wire = session.adopted();
        long ackUpTo = session.onWrite();
        boolean isGoodbye = sequence == goodbye;
        wire.write(slot, new LinkMessage.Data(sequence, ackUpTo, sequence, isGoodbye, isGoodbye));
    }

    void read(Wire wire) {
        closedGood = null;
        long nowNs = world.nowNs();
        LinkMessage message = wire.read(slot);
        if (message instanceof LinkMessage.Challenge) {
            session.onChallenge(wire, nowNs);
        } else if (message instanceof LinkMessage.Hello hello) {
            session.onHello(wire, hello.hello(), nowNs);
        } else if (message instanceof LinkMessage.Ok ok) {
            session.onOk(wire, ok.ok(), nowNs);
        } else if (message instanceof LinkMessage.Refusal refusal) {
            session.onRefusal(wire, refusal.refusal(), nowNs);
        } else if (message instanceof LinkMessage.Ack ack) {
            session.onAck(wire, ack.upTo(), nowNs);
        } else if (message instanceof LinkMessage.YouFailed) {
            session.onYouFailed(wire, nowNs);
        } else if (message instanceof LinkMessage.Data data) {
            readData(wire, data, nowNs);
        }
    }

    private void readData(Wire wire, LinkMessage.Data data, long nowNs) {
        if (!session.onData(wire, data.sequence(), data.ackUpTo(), data.atOnce(), 100, nowNs)) {
            return;
        }
        if (hasMarked) {
            throw new Violation("nothing counts after the mark: " + data);
        }
        if (data.number() != delivered + 1) {
            throw new Violation("frames arrive once and in order: " + data + " after " + delivered);
        }
        delivered++;
        if (data.goodbye() && acknowledged < data.ackUpTo()) {
            throw new Violation("a goodbye acknowledges what its sender has received: " + data);
        }
        if (data.goodbye()) {
            depart();
        }
        session.flushAckIfDue(nowNs);
    }

    // ---- what must hold in a state without a next step

    void requireRest() {
        if (isLeaving) {
            require(session.hasLeft(), "leavers leave");
            require(!isLost || !world.isCalm(), "leavers leave without waiting for the budget");
        } else if (!hasMarked && !other().hasMarked) {
            require(other().delivered() == offered, "frames are handed over");
            require(session.isHandedOver() && acknowledged == offered, "frames are acknowledged");
            require(!isLost, "a peer that can be reached is not lost");
        }
        boolean isUnaware = session.adopted() != null && session.adopted().isSilent();
        if (other().hasMarked && hasMet && !hasMarked && !isLeaving && !isUnaware) {
            require(isExcluded, "the marked are told");
        }
    }

    private void require(boolean holds, String property) {
        if (!holds) {
            throw new Violation(property + ": " + session);
        }
    }

    // ---- actions of the session

    @Override
    public Wire dial() {
        return world.dial(slot);
    }

    @Override
    public void sendHello(Wire wire, LinkHello hello) {
        wire.write(slot, new LinkMessage.Hello(hello));
    }

    @Override
    public void sendOk(Wire wire, LinkOk ok) {
        if (isGood(session.adopted())) {
            throw displaced();
        }
        wire.write(slot, new LinkMessage.Ok(ok));
    }

    /** Whether the other process has adopted this connection, and both can use it; false for null. */
    private boolean isGood(Wire wire) {
        return wire != null && other().session.adopted() == wire && wire.isGood();
    }

    private static Violation displaced() {
        return new Violation("a good connection is not displaced");
    }

    @Override
    public void sendRefusal(Wire wire, LinkRefusal refusal) {
        wire.write(slot, new LinkMessage.Refusal(refusal));
    }

    @Override
    public void sendYouFailed(Wire wire) {
        wire.write(slot, new LinkMessage.YouFailed());
    }

    @Override
    public void sendAck(Wire wire, long ackUpTo) {
        wire.write(slot, new LinkMessage.Ack(ackUpTo));
    }

    @Override
    public void halfClose(Wire wire) {
        wire.halfClose(slot);
    }

    @Override
    public void close(Wire wire) {
        closedGood = wire == session.adopted() && isGood(wire) ? wire : null;
        wire.close(slot);
    }

    @Override
    public void adopted(Wire wire) {
        hasMet = true;
        if (closedGood != null) {
            throw displaced();
        }
    }

    @Override
    public void acknowledged(long upTo) {
        if (upTo < acknowledged || other().delivered < upTo) {
            throw new Violation("what is acknowledged was delivered: " + upTo + " of " + other().delivered);
        }
        acknowledged = upTo;
    }

    /** Does nothing: there are no buffers here. */
    @Override
    public void discarded() {}

    @Override
    public void lost() {
        isLost = true;
    }

    @Override
    public void restored() {
        isLost = false;
    }

    @Override
    public void distrusted(Wire wire, String what) {
        throw new Violation("no process sends what cannot be true: " + what);
    }

    @Override
    public void excluded() {
        isExcluded = true;
        if (!other().hasMarked) {
            throw new Violation("only the marked are told so");
        }
    }

    @Override
    public void superseded(LinkIdentity by) {
        throw new Violation("no process is taken for another: " + by);
    }

    @Override
    public void misnamed(LinkIdentity impostor) {
        throw new Violation("no process is taken for another: " + impostor);
    }
}
