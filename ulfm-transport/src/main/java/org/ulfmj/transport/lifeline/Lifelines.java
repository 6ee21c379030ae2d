package org.ulfmj.transport.lifeline;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
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
 * The lifelines of a rank: Unix-domain sockets between neighbours on a host that carry no data. The system closes the
 * sockets of a process when the process ends, also when it is killed. Lifelines are opened a moment after the start,
 * and after the admission of a process. A dialer that the other rank does not know yet tries again. The sockets are
 * watched by the rank's one selector. Under the engine lock.
 */
public final class Lifelines implements ReadyHandler {
    private static final int BACKLOG = 256;
    /**
     * The largest number of callers that one poll accepts: few enough that an accepted process can prove itself before
     * {@link Strangers#MAX} others have come.
     */
    private static final int ACCEPTS_A_POLL = 16;
    /**
     * How long no caller is accepted after an accept failed, as it does when no file descriptor is left. Callers then
     * wait in the kernel, and do not end each sleep at once.
     */
    private static final long PAUSE_NS = 20_000_000;
    /** The longest path of a Unix-domain socket on this platform, without the zero byte at its end. */
    private static final int MAX_PATH_BYTES = 107;

    private static final int OWNER_ONLY = 0600;

    /** How long the sockets of lifelines that have ended are kept open, counted from the end of the first of them. */
    private static final long LINGER_NS = 200_000_000;

    /**
     * The links of this rank to the same processes. A goodbye that a process sent before its lifeline ended arrives on
     * its link.
     */
    public interface Links {
        /**
         * Hands over the frames that have arrived on the peer's link, before the end of its lifeline is reported: one
         * of them may be a goodbye.
         */
        void readBefore(ProcessId peer);

        /**
         * Whether the end of the peer need not be reported, because the peer is no member or no frames go to it any
         * more.
         */
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
    /** Lifelines that have ended and whose sockets are not closed yet. */
    private final ArrayDeque<Lifeline> ended = new ArrayDeque<>();
    /** The time at which the sockets of {@link #ended} are closed. */
    private long closeNs;

    private ServerSocketChannel listener;
    private SelectionKey listenerKey;
    /** The end of the present pause; {@link Long#MAX_VALUE} if there is none. */
    private long goOnNs = Long.MAX_VALUE;

    public Lifelines(SeatSelector seat, LinkIdentity self, Handshake handshake, Timing timing, LongSupplier clock) {
        this.seat = seat;
        this.self = self;
        this.handshake = handshake;
        this.timing = timing;
        this.clock = clock;
        this.strangers = new Strangers(timing.linkRtoNs());
    }

    /** Listens at a path in the job directory, at most 107 bytes long. */
    public void listen(Path socket) throws IOException {
        int length = socket.toString().getBytes(StandardCharsets.UTF_8).length;
        if (length > MAX_PATH_BYTES) {
            throw new IllegalArgumentException("lifeline socket " + socket + " has a path of " + length
                    + " bytes, at most " + MAX_PATH_BYTES + " are possible: choose a shorter job directory");
        }
        listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        listener.configureBlocking(false);
        listener.bind(UnixDomainSocketAddress.of(socket), BACKLOG);
        // The directory is closed to other users already. The mode is set as a number, because to set it by names would
        // load classes that a starting rank does not need otherwise.
        Files.setAttribute(socket, "unix:mode", OWNER_ONLY);
        listenerKey = seat.register(listener, SelectionKey.OP_ACCEPT, this);
    }

    /**
     * Makes a process of the job known, as a neighbour to which a lifeline may be opened.
     *
     * @param path the path of its lifeline socket; empty if it has none
     */
    public void know(LinkIdentity peer, String path) {
        known.put(peer.id(), new Neighbour(peer, path));
    }

    /**
     * Forgets a process that has ended, and closes its lifeline or the dial of it. The end of the process is not
     * reported any more.
     */
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

    /**
     * Dials those neighbours whose slot is higher than the slot of this rank, except where a lifeline stands already or
     * is being dialed.
     *
     * @throws IllegalArgumentException if a neighbour, of a higher or a lower slot, is not known or has no socket
     */
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
        if (goOnNs != Long.MAX_VALUE && nowNs - goOnNs >= 0) {
            goOnNs = Long.MAX_VALUE;
            seat.watchFor(listenerKey, SelectionKey.OP_ACCEPT);
        }
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
        long deadline = Math.min(goOnNs, strangers.nextDeadlineNs());
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

    /**
     * Reports the lifelines that have ended or could not be opened, each after the frames that had arrived on the
     * peer's link, except those of peers that {@link Links#isGone}. Returns how many were reported.
     */
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

    /** Accepts processes that open a lifeline to this rank. */
    @Override
    public void onReady(long nowNs) {
        for (int i = 0; i < ACCEPTS_A_POLL; i++) {
            SocketChannel channel;
            try {
                channel = listener.accept();
            } catch (IOException e) {
                pause(nowNs);
                return;
            }
            if (channel == null) {
                return;
            }
            try {
                strangers.add(Lifeline.accept(this, channel, handshake), nowNs);
            } catch (IOException e) {
                // The caller is gone already.
            }
        }
    }

    private void pause(long nowNs) {
        if (listener.isOpen()) {
            seat.watchFor(listenerKey, 0);
            goOnNs = nowNs + PAUSE_NS;
        }
    }

    // ---- for lifelines

    /**
     * Whether a dialer, which has proved the secret, is the process that this rank knows by that id, and wants to reach
     * this rank.
     */
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

    /** A standing lifeline has ended. Its socket is closed later, with those that have ended shortly before. */
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

    /** No lifeline to the peer could be opened within the link budget. This is reported as a lost lifeline. */
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
