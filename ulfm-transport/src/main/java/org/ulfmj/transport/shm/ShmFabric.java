package org.ulfmj.transport.shm;

import java.io.IOException;
import java.lang.invoke.VarHandle;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.transport.Fabric;
import org.ulfmj.transport.Frame;
import org.ulfmj.transport.FrameSink;
import org.ulfmj.transport.HostMemory;
import org.ulfmj.transport.LaneKind;
import org.ulfmj.transport.MarkedProcesses;
import org.ulfmj.transport.MemberRecord;
import org.ulfmj.transport.SleepWatch;
import org.ulfmj.transport.session.LinkIdentity;
import org.ulfmj.transport.tcp.TcpFabric;

/**
 * The fabric of a rank that shares its host with others: frames to those go through lanes in shared memory, all others
 * over TCP. Each lane is made when its first frame goes: where no file can be had, that lane goes over TCP until there
 * is room again, and one warning says so.
 *
 * <p>Every poll reads every lane, with the seat or without. A lane needs its receiver neither to have opened it nor to
 * be alive: what was committed is read when it is found, also after the sender's end. A rank that holds its peer for
 * failed closes the lanes from it and tells it so by the last record of the lane to it; so anything that a process that
 * was stopped, excluded and woken still writes, it writes where no process reads.
 *
 * <p>Sleeping: the sleeper says so in its {@link Mailbox}, fences, and looks once more; who commits fences, and rings
 * the {@link Bell} if the receiver says that it sleeps. One of the two sees the other. Should a ring be lost all the
 * same, a sleep ends after 1 ms, then 2, and so on to 50 ms.
 *
 * <p>In use: construct over a {@link TcpFabric} that this fabric then owns; {@link #connect} with the table of all;
 * then as {@link Fabric} says. Threads: as {@link Fabric} says; files are made and mapped by any process that needs
 * them.
 */
public final class ShmFabric implements Fabric {
    private static final long MIN_SLEEP_NS = 1_000_000;
    private static final long MAX_SLEEP_NS = 50_000_000;
    /** When there may be room again for frames that wait: no process announces it. */
    private static final long ROOM_NS = 1_000_000;

    /** A sleep that may be this long comes after several without input: time to tidy up. */
    private static final long IDLE_SLEEP_NS = 8_000_000;

    private final ProcessId self;
    private final TcpFabric tcp;
    private final ShmFiles files;
    private final LongSupplier clock;
    private final Mailbox mailbox;
    private final Bell bell;
    private final ShmHostMemory hostMemory;
    private final ShmPeers peers;
    private final Arrivals arrivals;
    private final OutboundLanes outbound;
    private final MarkedProcesses tombstones = new MarkedProcesses();
    /**
     * Dead, and their files still there. Under its own monitor: the first use of a queue without one costs a rank a
     * third of a millisecond in the middle of a failure.
     */
    private final ArrayDeque<ProcessId> leftBehind = new ArrayDeque<>();

    private final Told told = new Told();

    private volatile long sleepBoundNs = MIN_SLEEP_NS;
    private volatile boolean isClosed;

    /**
     * @param self as the TCP fabric knows us; the nonce names our mailbox
     * @param ranks of the job, ourselves included
     * @param clock nanoseconds, the same as the engine's
     * @param warnings takes the sentence that says why TCP is used where shared memory should be; once at most
     * @throws IOException if there is no room even for the mailbox; then {@code tcp} is to be used alone
     */
    public ShmFabric(
            LinkIdentity self, int ranks, TcpFabric tcp, ShmFiles files, LongSupplier clock, Consumer<String> warnings)
            throws IOException {
        this.self = self.id();
        this.tcp = tcp;
        this.files = files;
        this.clock = clock;
        ShmSegment file = files.createMailbox(self.nonce(), Mailbox.bytesFor(ranks));
        if (file == null) {
            throw new IOException(files.refusal());
        }
        this.mailbox = new Mailbox(file.memory());
        try {
            this.bell = new Bell(tcp.seat());
        } catch (IOException failed) {
            files.discard(file);
            throw failed;
        }
        mailbox.setBellPort(bell.port());
        this.peers = new ShmPeers(self.id());
        this.arrivals = new Arrivals(peers, mailbox, files);
        this.outbound = new OutboundLanes(self.id(), peers, files, bell, warnings, tcp, clock);
        this.hostMemory = new ShmHostMemory(self.id(), peers, files, bell, mailbox);
    }

    /** The identities of the others, by the start table. Before the first frame. */
    public void connect(List<MemberRecord> table) {
        peers.connect(table);
        tcp.connect(table);
    }

    /** Whether a rank is on our host, or ourselves. */
    public boolean reaches(ProcessId id) {
        return peers.reach(id);
    }

    @Override
    public HostMemory hostMemory() {
        return hostMemory;
    }

    // ---- sending

    @Override
    public boolean offer(ProcessId to, LaneKind kind, Frame frame) {
        ShmPeer peer = peers.find(to);
        if (peer == null) {
            return tcp.offer(to, kind, frame);
        }
        if (frame.payloadBytes() > Frame.MAX_PAYLOAD_BYTES) {
            throw new IllegalArgumentException(
                    "payload of " + frame.payloadBytes() + " bytes, at most " + Frame.MAX_PAYLOAD_BYTES);
        }
        if (peer.isCutOff || isClosed) {
            return true;
        }
        OutboundLane lane = outbound.to(peer, kind);
        if (lane != null) {
            return outbound.offer(lane, peer, frame);
        }
        if (OutboundLanes.holds(peer, kind)) {
            tcp.attend(to); // its acknowledgements end the wait
            return false;
        }
        return tcp.offer(to, kind, frame);
    }

    @Override
    public int pieceBytes(ProcessId to) {
        ShmPeer peer = peers.find(to);
        return peer == null || peer.goesByTcp(LaneKind.DATA) ? tcp.pieceBytes(to) : PIECE_BYTES;
    }

    @Override
    public boolean borrowsFor(ProcessId to) {
        return tcp.borrowsFor(to);
    }

    @Override
    public void giveBack(ProcessId to) {
        tcp.giveBack(to);
    }

    @Override
    public void prepare(ProcessId id) {
        ShmPeer peer = peers.find(id);
        if (peer != null && !peer.isCutOff && !isClosed) {
            outbound.prepare(peer);
        }
    }

    // ---- receiving

    @Override
    public int poll(FrameSink sink) {
        told.begin(sink);
        try {
            int done = pollLanes();
            if (tcp.hasDirectWork()) {
                done += tcp.poll(told);
            }
            return done;
        } finally {
            told.end();
        }
    }

    @Override
    public int pollWithSeat(FrameSink sink) {
        told.begin(sink);
        try {
            int done = pollLanes();
            return done + tcp.pollWithSeat(told);
        } finally {
            told.end();
        }
    }

    private int pollLanes() {
        if (isClosed) {
            return 0;
        }
        int done = arrivals.read(told);
        if (outbound.haveWaiting()) {
            done += outbound.flush();
        }
        done += arrivals.tellBroken(told);
        if (done > 0 && sleepBoundNs != MIN_SLEEP_NS) {
            sleepBoundNs = MIN_SLEEP_NS;
        }
        return done;
    }

    /** What the lanes and TCP tell, on its way to the sink of the poll that is going on. */
    private final class Told implements FrameSink, InboundLane.Sink {
        private FrameSink sink;

        void begin(FrameSink target) {
            if (sink != null) {
                throw new IllegalStateException("a poll inside a poll of rank " + self);
            }
            sink = target;
        }

        void end() {
            sink = null;
        }

        @Override
        public void onFrame(ShmPeer from, LaneKind kind, Frame frame) {
            sink.onFrame(from.id(), kind, frame);
        }

        @Override
        public void onExcluded(ShmPeer by) {
            sink.onExcluded(by.id());
        }

        @Override
        public void onRoom(ShmPeer to) {
            if (to.hasMailbox()) {
                to.ringIfAsleep(bell);
            }
        }

        @Override
        public void onBroken(ShmPeer from, String why) {
            arrivals.onBroken(from, why);
        }

        @Override
        public void onFrame(ProcessId from, LaneKind lane, Frame frame) {
            ShmPeer peer = peers.find(from);
            if (peer != null && !peer.isHeardByTcp) {
                peer.isHeardByTcp = true;
                tcp.attend(from);
            }
            sink.onFrame(from, lane, frame);
        }

        /** TCP has nothing more of the peer; what its lanes have is all there. */
        @Override
        public void onDrained(ProcessId id) {
            ShmPeer peer = peers.find(id);
            if (peer != null && !peer.isSilenced) {
                arrivals.readOut(peer, this);
            }
            sink.onDrained(id);
        }

        /** The goodbye may be in the control lane. */
        @Override
        public void onLifelineLost(ProcessId id) {
            ShmPeer peer = peers.find(id);
            if (peer != null && !peer.isSilenced) {
                arrivals.readControl(peer, this);
            }
            if (peer == null || !peer.isCutOff) {
                sink.onLifelineLost(id);
            }
        }

        @Override
        public void onLinkBroken(ProcessId peer) {
            sink.onLinkBroken(peer);
        }

        @Override
        public void onLinkRestored(ProcessId peer) {
            sink.onLinkRestored(peer);
        }

        @Override
        public void onExcluded(ProcessId by) {
            sink.onExcluded(by);
        }
    }

    // ---- sleeping

    @Override
    public void sleep(long untilNs) {
        if (sleepBoundNs >= IDLE_SLEEP_NS) {
            tidyUp();
        }
        mailbox.beginSleep();
        SleepWatch watch = hostMemory.watch();
        watch.beginSleep();
        VarHandle.fullFence();
        try {
            if (arrivals.isEmpty() && !outbound.isRoomFound() && !watch.mayGoOn()) {
                long boundNs = sleepBoundNs;
                long latestNs = clock.getAsLong() + boundNs;
                tcp.sleep(latestNs - untilNs < 0 ? latestNs : untilNs);
                sleepBoundNs = Math.min(2 * boundNs, MAX_SLEEP_NS);
            }
        } finally {
            watch.endSleep();
            mailbox.endSleep();
        }
    }

    /**
     * Lists and unlinks files, which takes the better part of a millisecond: not under the lock, and not while a
     * failure is being told and every process's cores are full of it.
     */
    private void tidyUp() {
        for (ProcessId dead = nextLeftBehind(); dead != null; dead = nextLeftBehind()) {
            files.forget(dead);
        }
    }

    private ProcessId nextLeftBehind() {
        synchronized (leftBehind) {
            return leftBehind.poll();
        }
    }

    @Override
    public void wake() {
        tcp.wake();
    }

    @Override
    public long nextDeadlineNs() {
        long deadlineNs = tcp.nextDeadlineNs();
        if (!outbound.haveWaiting()) {
            return deadlineNs;
        }
        long roomNs = clock.getAsLong() + ROOM_NS;
        return deadlineNs == Long.MAX_VALUE || roomNs - deadlineNs < 0 ? roomNs : deadlineNs;
    }

    @Override
    public void attend(ProcessId id) {
        ShmPeer peer = peers.find(id);
        // What is acknowledged comes the way that the data went, though everything else may come through shared memory.
        if (peer == null || peer.isHeardByTcp || peer.goesByTcp(LaneKind.DATA)) {
            tcp.attend(id);
        }
    }

    // ---- the end of a peer

    @Override
    public void drain(ProcessId id) {
        ShmPeer peer = peers.find(id);
        if (peer != null) {
            peer.isDead = true;
        }
        tcp.drain(id);
    }

    @Override
    public void abandon(ProcessId id) {
        tombstones.add(id);
        ShmPeer peer = peers.find(id);
        if (peer != null && !peer.isAbandoned) {
            peer.isAbandoned = true;
            arrivals.silence(peer);
            // A process known to be dead is not told; nor is one that has departed, for it has nothing to end.
            if (!peer.isDead && !peer.isCutOff && !isClosed) {
                outbound.exclude(peer);
            }
            outbound.cutOff(peer);
            if (peer.isDead) {
                leaveBehind(peer);
            }
        }
        tcp.abandon(id);
    }

    private void leaveBehind(ShmPeer peer) {
        if (!peer.isLeftBehind) {
            peer.isLeftBehind = true;
            synchronized (leftBehind) {
                leftBehind.add(peer.id());
            }
        }
    }

    @Override
    public void admit(MemberRecord member) {
        ProcessId id = member.id();
        if (id.slot() == self.slot() || tombstones.cover(id) || isClosed) {
            return;
        }
        tombstones.addBefore(id);
        ShmPeer known = peers.inSlot(id.slot());
        if (known != null && known.id().incarnation() < id.incarnation()) {
            abandon(known.id());
            leaveBehind(known);
            peers.remove(known);
        }
        ShmPeer newcomer = peers.admit(member);
        if (newcomer != null) {
            arrivals.openAnnounced(newcomer);
        }
        tcp.admit(member);
    }

    @Override
    public void depart(ProcessId id) {
        ShmPeer peer = peers.find(id);
        if (peer != null) {
            outbound.cutOff(peer);
        }
        tcp.depart(id);
    }

    @Override
    public boolean isHandedOver(ProcessId id) {
        ShmPeer peer = peers.find(id);
        return (peer == null || peer.isHandedOver()) && tcp.isHandedOver(id);
    }

    @Override
    public Iterable<ProcessId> connected() {
        List<ProcessId> all = new ArrayList<>();
        for (ProcessId peer : tcp.connected()) {
            all.add(peer);
        }
        for (ShmPeer peer : peers.bySlot()) {
            if (peer != null && !peer.isCutOff && peer.hasLanes() && !all.contains(peer.id())) {
                all.add(peer.id());
            }
        }
        all.sort(null);
        return all;
    }

    // ---- our own end

    @Override
    public void leave() {
        tcp.leave();
    }

    @Override
    public boolean hasLeft() {
        return tcp.hasLeft() && !outbound.haveWaiting();
    }

    /**
     * Files stay: what is in lanes may not have been read yet, and who still sends to us must not take a missing
     * mailbox for a lack of room. The launcher removes the directory.
     */
    @Override
    public void close() {
        if (isClosed) {
            return;
        }
        isClosed = true;
        for (ShmPeer peer : peers.bySlot()) {
            if (peer != null) {
                peer.silence();
            }
        }
        bell.close();
        tcp.close();
    }
}
