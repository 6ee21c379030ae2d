package org.ulfmj.transport.lifeline;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.Timing;
import org.ulfmj.transport.FrameSink;
import org.ulfmj.transport.TransportLog;
import org.ulfmj.transport.auth.Handshake;
import org.ulfmj.transport.auth.Strangers;
import org.ulfmj.transport.seat.ReadyHandler;
import org.ulfmj.transport.seat.SeatSelector;
import org.ulfmj.transport.session.LinkIdentity;

/**
 * Unix-domain sockets between neighbours on a host that carry nothing and only bear witness: a process's end closes
 * them, no matter what else it neglects. They are opened once, a moment after the start or after a neighbour was
 * admitted, and never resumed; a dialer that the other does not know yet tries again. On the rank's one selector, under
 * its lock.
 */
public final class Lifelines implements ReadyHandler {
    private static final int BACKLOG = 256;
    /** As at the TCP listener: who was accepted can prove itself before too many strangers have come. */
    private static final int ACCEPTS_A_POLL = 16;
    /** Unix-domain paths of the platform end here, with a zero byte behind. */
    private static final int MAX_PATH_BYTES = 107;

    /** This long the socket of a lifeline that is over is kept: a death is over everywhere by then. */
    private static final long LINGER_NS = 200_000_000;

    /** The links to the same processes, which tell a goodbye that was said before the end of a lifeline. */
    public interface Links {
        /** Hands over what the peer's link has to say before its lifeline's end is told: a goodbye may be in it. */
        void readBefore(ProcessId peer);

        /** Whether the peer's end is of no interest any more. */
        boolean isGone(ProcessId peer);
    }

    private record Neighbour(LinkIdentity identity, String path) {}

    private final SeatSelector seat;
    private final LinkIdentity self;
    private final Handshake handshake;
    private final Timing timing;
    private final LongSupplier clock;
    private final Strangers strangers;
    private final Map<ProcessId, Neighbour> known = new TreeMap<>();
    private final Map<ProcessId, Lifeline> standing = new TreeMap<>();
    private final Map<ProcessId, LifelineDial> dials = new TreeMap<>();
    private final ArrayDeque<ProcessId> lost = new ArrayDeque<>();
    /** Over, and not closed yet. */
    private final ArrayDeque<Lifeline> ended = new ArrayDeque<>();
    /** When those are closed. */
    private long closeNs;

    private ServerSocketChannel listener;

    public Lifelines(SeatSelector seat, LinkIdentity self, Handshake handshake, Timing timing, LongSupplier clock) {
        this.seat = seat;
        this.self = self;
        this.handshake = handshake;
        this.timing = timing;
        this.clock = clock;
        this.strangers = new Strangers(timing.linkRtoNs());
    }

    /** At a path in the job directory, at most 107 bytes long. */
    public void listen(Path socket) throws IOException {
        int length = socket.toString().getBytes(StandardCharsets.UTF_8).length;
        if (length > MAX_PATH_BYTES) {
            throw new IllegalArgumentException("lifeline socket " + socket + " has a path of " + length
                    + " bytes, at most " + MAX_PATH_BYTES + " are possible: choose a shorter job directory");
        }
        listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        listener.configureBlocking(false);
        listener.bind(UnixDomainSocketAddress.of(socket), BACKLOG);
        seat.register(listener, SelectionKey.OP_ACCEPT, this);
    }

    /** A member of the job, and the path of its socket; empty if it has none. */
    public void know(LinkIdentity peer, String path) {
        known.put(peer.id(), new Neighbour(peer, path));
    }

    /** The process is over: nothing of it is waited for, told or accepted any more. */
    public void forget(ProcessId peer) {
        known.remove(peer);
        lost.remove(peer);
        LifelineDial dial = dials.remove(peer);
        if (dial != null) {
            dial.close();
        }
        Lifeline lifeline = standing.remove(peer);
        if (lifeline != null) {
            lifeline.close();
        }
    }

    /** Dials those of the neighbours whose slot is above ours. */
    public void open(Collection<ProcessId> neighbours) {
        for (ProcessId peer : neighbours) {
            Neighbour neighbour = known.get(peer);
            if (neighbour == null || neighbour.path().isEmpty()) {
                throw new IllegalArgumentException("rank " + peer + " has no lifeline socket");
            }
            if (self.id().slot() < peer.slot() && !standing.containsKey(peer) && !dials.containsKey(peer)) {
                LifelineDial dial = new LifelineDial(this, neighbour.identity(), neighbour.path(), timing);
                dials.put(peer, dial);
                dial.attempt(clock.getAsLong());
            }
        }
    }

    /** Whether a lifeline to the peer stands. */
    public boolean has(ProcessId peer) {
        return standing.containsKey(peer);
    }

    public void onTick(long nowNs) {
        strangers.onTick(nowNs);
        if (!ended.isEmpty() && nowNs - closeNs >= 0) {
            closeEnded();
        }
        if (!dials.isEmpty()) {
            for (LifelineDial dial : dials.values().toArray(new LifelineDial[0])) {
                dial.onTick(nowNs);
            }
        }
    }

    public long nextDeadlineNs() {
        if (!lost.isEmpty()) {
            return clock.getAsLong();
        }
        long deadline = strangers.nextDeadlineNs();
        if (!ended.isEmpty()) {
            deadline = Math.min(deadline, closeNs);
        }
        if (!dials.isEmpty()) {
            for (LifelineDial dial : dials.values()) {
                deadline = Math.min(deadline, dial.deadlineNs());
            }
        }
        return deadline;
    }

    private void closeEnded() {
        for (Lifeline lifeline = ended.poll(); lifeline != null; lifeline = ended.poll()) {
            lifeline.close();
        }
    }

    /** Tells which lifelines have ended, each after what had arrived on the peer's link. */
    public int tellLost(Links links, FrameSink sink) {
        int told = 0;
        for (ProcessId peer = lost.poll(); peer != null; peer = lost.poll()) {
            links.readBefore(peer);
            if (!links.isGone(peer)) {
                sink.onLifelineLost(peer);
                told++;
            }
        }
        return told;
    }

    /** A process opens a lifeline to us. */
    @Override
    public void onReady(long nowNs) {
        try {
            for (int i = 0; i < ACCEPTS_A_POLL; i++) {
                SocketChannel channel = listener.accept();
                if (channel == null) {
                    return;
                }
                strangers.add(Lifeline.accept(this, channel, handshake), nowNs);
            }
        } catch (IOException e) {
            // That one is gone already; the next poll tries again.
        }
    }

    // ---- for lifelines

    /** Whether a proven dialer is who the table says, and means us. */
    boolean isExpected(LinkIdentity from, LinkIdentity to) {
        Neighbour neighbour = known.get(from.id());
        return to.equals(self) && neighbour != null && neighbour.identity().equals(from);
    }

    void onStanding(Lifeline lifeline, ProcessId peer) {
        strangers.remove(lifeline);
        dials.remove(peer);
        Lifeline older = standing.put(peer, lifeline);
        if (older != null) {
            older.close();
        }
    }

    /** A lifeline that stood has ended; it is closed when what others do about that is done. */
    void onEnded(Lifeline lifeline, ProcessId peer) {
        if (ended.isEmpty()) {
            closeNs = clock.getAsLong() + LINGER_NS;
        }
        ended.add(lifeline);
        if (standing.get(peer) == lifeline) {
            standing.remove(peer);
            lost.add(peer);
        }
    }

    /** None could be had within the link budget. */
    void onUnreachable(ProcessId peer) {
        dials.remove(peer);
        lost.add(peer);
    }

    void onStrangerEnded(Lifeline lifeline) {
        strangers.remove(lifeline);
    }

    SeatSelector seat() {
        return seat;
    }

    LinkIdentity self() {
        return self;
    }

    Handshake handshake() {
        return handshake;
    }

    public void close() {
        if (listener != null) {
            try {
                listener.close();
            } catch (IOException e) {
                TransportLog.error("cannot close the lifeline socket: " + e.getMessage());
            }
        }
        strangers.dropAll();
        for (LifelineDial dial : dials.values().toArray(new LifelineDial[0])) {
            dial.close();
        }
        for (Lifeline lifeline : standing.values().toArray(new Lifeline[0])) {
            lifeline.close();
        }
        standing.clear();
        closeEnded();
    }
}
