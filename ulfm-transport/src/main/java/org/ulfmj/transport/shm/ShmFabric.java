package org.ulfmj.transport.shm;

import java.io.IOException;
import java.lang.invoke.VarHandle;
import java.nio.file.NoSuchFileException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.transport.Fabric;
import org.ulfmj.transport.Frame;
import org.ulfmj.transport.FrameSink;
import org.ulfmj.transport.HostMemory;
import org.ulfmj.transport.LaneKind;
import org.ulfmj.transport.MemberRecord;
import org.ulfmj.transport.SleepWatch;
import org.ulfmj.transport.Tombstones;
import org.ulfmj.transport.session.LinkIdentity;
import org.ulfmj.transport.tcp.TcpFabric;
import org.ulfmj.transport.tcp.TransportLog;

/**
 * The fabric of a rank that shares its host with others: frames to those go through lanes in shared memory, all others
 * over TCP. Each lane is made when its first frame goes, and keeps its medium: where no file can be had, that lane goes over
 * TCP for good, and one warning says so.
 *
 * <p>Every poll reads every lane, with the seat or without. A lane needs its receiver neither to have opened it nor to be
 * alive: what was committed is read when it is found, also after the sender's end. A rank that holds its peer for failed
 * closes the lanes from it and tells it so by the last record of the lane to it; so whatever a process that was stopped,
 * excluded and woken still writes, it writes where nobody reads.
 *
 * <p>Sleeping: the sleeper says so in its {@link Mailbox}, fences, and looks once more; who commits fences, and rings the
 * {@link Bell} if the receiver says that it sleeps. One of the two sees the other. Should a ring be lost all the same, a
 * sleep ends after 1 ms, then 2, and so on to 50 ms.
 *
 * <p>In use: construct over a {@link TcpFabric} that this fabric then owns; {@link #connect} with the table of all; then as
 * {@link Fabric} says. Threads: as {@link Fabric} says; files are made and mapped by whoever needs them.
 */
public final class ShmFabric implements Fabric {
    private static final LaneKind[] KINDS = LaneKind.values();
    private static final int DATA_FRAMES_A_POLL = 32;
    private static final long MIN_SLEEP_NS = 1_000_000;
    private static final long MAX_SLEEP_NS = 50_000_000;
    /** When there may be room again for frames that wait: nobody announces it. */
    private static final long ROOM_NS = 1_000_000;

    /** A sleep that may be so long comes after several without input: time to tidy up. */
    private static final long IDLE_SLEEP_NS = 8_000_000;

    /** More than a lane can hold in all its files, from the first to the largest. */
    private static final long MAX_LANE_BYTES = 4L * OutboundLane.MAX_FILE_BYTES;

    private final ProcessId self;
    /** How we described ourselves; known once {@link #connect} was called. */
    private MemberRecord me;

    private final TcpFabric tcp;
    private final ShmFiles files;
    private final LongSupplier clock;
    private final Consumer<String> warnings;
    private final Mailbox mailbox;
    private final Bell bell;
    private final ShmHostMemory hostMemory;

    /** By slot; null for ourselves and for ranks of other hosts. */
    private ShmPeer[] peers = {};

    private final Tombstones tombstones = new Tombstones();

    private final InboundLanes control = new InboundLanes();
    private final InboundLanes data = new InboundLanes();
    private final List<OutboundLane> waiting = new ArrayList<>();
    private final ArrayDeque<ProcessId> broken = new ArrayDeque<>();
    /**
     * Dead, and their files still there. Under its own monitor: the first use of a queue without one costs a rank a third of a
     * millisecond in the middle of a failure.
     */
    private final ArrayDeque<ProcessId> leftBehind = new ArrayDeque<>();

    private final Told told = new Told();

    /** The lane that lacked room last: when it has some, no sleep is in order. */
    private volatile OutboundLane refused;

    private long announcementsSeen;
    private volatile long sleepBoundNs = MIN_SLEEP_NS;
    private boolean hasWarned;
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
        this.warnings = warnings;
        ShmSegment file = files.createMailbox(self.nonce(), Mailbox.bytesFor(ranks));
        if (file == null) {
            throw new IOException(files.refusal());
        }
        this.mailbox = new Mailbox(file.memory());
        try {
            this.bell = new Bell(tcp);
        } catch (IOException failed) {
            files.discard(file);
            throw failed;
        }
        mailbox.setBellPort(bell.port());
        this.hostMemory = new ShmHostMemory(self.id(), this, files, bell, mailbox);
    }

    /** Who the others are, by the start table. Before the first frame. */
    public void connect(List<MemberRecord> table) {
        int slots = 0;
        for (MemberRecord member : table) {
            slots = Math.max(slots, member.id().slot() + 1);
            if (member.id().equals(self)) {
                me = member;
            }
        }
        if (me == null) {
            throw new IllegalArgumentException("rank " + self + " is not in the table of its job");
        }
        peers = new ShmPeer[slots];
        for (MemberRecord member : table) {
            if (member != me && isOnOurHost(member)) {
                peers[member.id().slot()] = new ShmPeer(member);
            }
        }
        tcp.connect(table);
    }

    private boolean isOnOurHost(MemberRecord member) {
        return me.sharesPidsWith(member) && me.host().equals(member.host());
    }

    /** Whether a rank is on our host, or ourselves. */
    public boolean reaches(ProcessId id) {
        return id.equals(self) || find(id) != null;
    }

    @Override
    public HostMemory hostMemory() {
        return hostMemory;
    }

    /** Null for ourselves and ranks of other hosts. */
    ShmPeer find(ProcessId id) {
        ShmPeer peer = id.slot() < peers.length ? peers[id.slot()] : null;
        return peer != null && peer.id().equals(id) ? peer : null;
    }

    // ---- sending

    @Override
    public boolean offer(ProcessId to, LaneKind kind, Frame frame) {
        ShmPeer peer = find(to);
        if (peer == null) {
            return tcp.offer(to, kind, frame);
        }
        if (frame.payloadBytes > Frame.MAX_PAYLOAD_BYTES) {
            throw new IllegalArgumentException(
                    "payload of " + frame.payloadBytes + " bytes, at most " + Frame.MAX_PAYLOAD_BYTES);
        }
        if (peer.isCutOff || isClosed) {
            return true;
        }
        OutboundLane lane = peer.outbound(kind);
        if (lane == null) {
            lane = peer.goesByTcp(kind) ? null : open(peer, kind);
            if (lane == null) {
                return tcp.offer(to, kind, frame);
            }
        }
        if (!lane.offer(frame)) {
            refused = lane;
            return false;
        }
        if (lane.hasWaiting() && !waiting.contains(lane)) {
            waiting.add(lane);
        }
        if ((frame.flags & Frame.UNHURRIED) == 0) {
            VarHandle.fullFence();
            peer.ringIfAsleep(bell);
        }
        return true;
    }

    @Override
    public int pieceBytes(ProcessId to) {
        ShmPeer peer = find(to);
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

    /** The lane for control frames, which the peer maps when it is told of it. */
    @Override
    public void prepare(ProcessId id) {
        ShmPeer peer = find(id);
        if (peer == null || peer.isCutOff || isClosed) {
            return;
        }
        if (peer.outbound(LaneKind.CONTROL) == null && !peer.goesByTcp(LaneKind.CONTROL)) {
            if (open(peer, LaneKind.CONTROL) != null) {
                VarHandle.fullFence();
                peer.ringIfAsleep(bell);
            }
        }
    }

    /** Null if the lane goes over TCP. */
    private OutboundLane open(ShmPeer peer, LaneKind kind) {
        OutboundLane lane = null;
        String why;
        try {
            lane = peer.openOutbound(kind, files, self);
            why = files.refusal();
        } catch (NoSuchFileException e) {
            // Its mailbox was there when we joined: it has ended, and its files were swept. By TCP this goes nowhere
            // too.
            peer.goByTcp(kind);
            return null;
        } catch (IOException e) {
            why = e.getMessage();
        }
        if (lane == null) {
            peer.goByTcp(kind);
            warn("rank " + self + " uses TCP to rank " + peer.id() + " on its own host: " + why);
        }
        return lane;
    }

    private void warn(String text) {
        if (!hasWarned) {
            hasWarned = true;
            warnings.accept(text);
        }
    }

    /** What found no room before. */
    private int flush() {
        int done = 0;
        for (int i = waiting.size() - 1; i >= 0; i--) {
            OutboundLane lane = waiting.get(i);
            if (lane.flush()) {
                waiting.remove(i);
                done++;
            }
        }
        VarHandle.fullFence();
        for (ShmPeer peer : peers) {
            if (peer != null && peer.hasMailbox()) {
                peer.ringIfAsleep(bell);
            }
        }
        return done;
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
        if (mailbox.announcements() != announcementsSeen) {
            openAnnounced();
        }
        int done = control.read(Integer.MAX_VALUE, told);
        done += data.read(DATA_FRAMES_A_POLL, told);
        if (!waiting.isEmpty()) {
            done += flush();
        }
        for (ProcessId peer = broken.poll(); peer != null; peer = broken.poll()) {
            told.sink.onLinkBroken(peer);
            done++;
        }
        if (done > 0 && sleepBoundNs != MIN_SLEEP_NS) {
            sleepBoundNs = MIN_SLEEP_NS;
        }
        return done;
    }

    private void openAnnounced() {
        announcementsSeen = mailbox.announcements();
        for (ShmPeer peer : peers) {
            if (peer != null && !peer.isSilenced) {
                openAnnounced(peer);
            }
        }
    }

    private void openAnnounced(ShmPeer peer) {
        for (LaneKind kind : KINDS) {
            long fileId = mailbox.lane(peer.id(), kind);
            if (peer.inbound(kind) != null || !peer.isNews(kind, fileId)) {
                continue;
            }
            try {
                InboundLane lane = new InboundLane(peer, kind, files, fileId);
                peer.setInbound(kind, lane);
                (kind == LaneKind.CONTROL ? control : data).add(lane);
            } catch (IOException e) {
                onBroken(peer, e.toString());
            }
        }
    }

    private void onBroken(ShmPeer peer, String why) {
        TransportLog.error("shared memory from rank " + peer.id() + ": " + why + "; nothing more is read of it");
        broken.add(peer.id());
    }

    /**
     * Reads what is committed. A dead process commits nothing more; what another one adds meanwhile is read only up to a
     * number of bytes. No time bounds it: what is in a lane has arrived, and a thread that was kept from its core in the
     * middle must not take it for lost.
     */
    private void readAll(ShmPeer peer, LaneKind kind) {
        InboundLane lane = peer.inbound(kind);
        long endBytes = lane == null ? 0 : lane.readBytes() + MAX_LANE_BYTES;
        while (lane != null && !peer.isSilenced && lane.readBytes() < endBytes && lane.read(1, told) > 0) {
            // as long as there is something
        }
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
            ShmFabric.this.onBroken(from, why);
        }

        @Override
        public void onFrame(ProcessId from, LaneKind lane, Frame frame) {
            ShmPeer peer = find(from);
            if (peer != null && !peer.isHeardByTcp) {
                peer.isHeardByTcp = true;
                tcp.attend(from);
            }
            sink.onFrame(from, lane, frame);
        }

        /** TCP has nothing more of the peer; what its lanes have is all there. */
        @Override
        public void onDrained(ProcessId id) {
            ShmPeer peer = find(id);
            if (peer != null && !peer.isSilenced) {
                openAnnounced(peer);
                for (LaneKind kind : KINDS) {
                    readAll(peer, kind);
                }
                silence(peer);
            }
            sink.onDrained(id);
        }

        /** The goodbye may be in the control lane. */
        @Override
        public void onLifelineLost(ProcessId id) {
            ShmPeer peer = find(id);
            if (peer != null && !peer.isSilenced) {
                openAnnounced(peer);
                readAll(peer, LaneKind.CONTROL);
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
            if (!hasInput() && !watch.mayGoOn()) {
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
     * Lists and unlinks files, which takes the better part of a millisecond: not under the lock, and not while a failure is
     * being told and everybody's cores are full of it.
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

    private boolean hasInput() {
        return mailbox.announcements() != announcementsSeen || !control.areEmpty() || !data.areEmpty() || isRoomFound();
    }

    /** Once for each refusal: who still has something to send tries again, and nobody else is kept awake. */
    private boolean isRoomFound() {
        OutboundLane lacking = refused;
        if (lacking == null || !lacking.mayHaveRoom()) {
            return false;
        }
        refused = null;
        return true;
    }

    @Override
    public void wake() {
        tcp.wake();
    }

    @Override
    public long nextDeadlineNs() {
        long deadlineNs = tcp.nextDeadlineNs();
        if (waiting.isEmpty()) {
            return deadlineNs;
        }
        long roomNs = clock.getAsLong() + ROOM_NS;
        return deadlineNs == Long.MAX_VALUE || roomNs - deadlineNs < 0 ? roomNs : deadlineNs;
    }

    @Override
    public void attend(ProcessId id) {
        ShmPeer peer = find(id);
        // What is acknowledged comes the way that the data went, though everything else may come through shared memory.
        if (peer == null || peer.isHeardByTcp || peer.goesByTcp(LaneKind.DATA)) {
            tcp.attend(id);
        }
    }

    // ---- the end of a peer

    @Override
    public void drain(ProcessId id) {
        ShmPeer peer = find(id);
        if (peer != null) {
            peer.isDead = true;
        }
        tcp.drain(id);
    }

    @Override
    public void abandon(ProcessId id) {
        tombstones.add(id);
        ShmPeer peer = find(id);
        if (peer != null && !peer.isAbandoned) {
            peer.isAbandoned = true;
            silence(peer);
            tellExcluded(peer);
            cutOff(peer);
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

    /** A process known to be dead is not told; nor is one that has departed, for it has nothing to end. */
    private void tellExcluded(ShmPeer peer) {
        if (peer.isDead || peer.isCutOff || isClosed) {
            return;
        }
        OutboundLane lane = peer.outbound(LaneKind.CONTROL);
        if (lane == null && !peer.goesByTcp(LaneKind.CONTROL)) {
            lane = open(peer, LaneKind.CONTROL);
        }
        if (lane != null) {
            lane.exclude();
            VarHandle.fullFence();
            peer.ringIfAsleep(bell);
        }
    }

    @Override
    public void admit(MemberRecord member) {
        ProcessId id = member.id();
        if (id.slot() == self.slot() || tombstones.cover(id) || isClosed) {
            return;
        }
        if (id.slot() >= peers.length) {
            peers = Arrays.copyOf(peers, id.slot() + 1);
        }
        tombstones.addBefore(id);
        ShmPeer known = peers[id.slot()];
        if (known != null && known.id().incarnation() < id.incarnation()) {
            abandon(known.id());
            leaveBehind(known);
            peers[id.slot()] = null;
        }
        if (peers[id.slot()] == null && isOnOurHost(member)) {
            peers[id.slot()] = new ShmPeer(member);
            openAnnounced(peers[id.slot()]);
        }
        tcp.admit(member);
    }

    private void silence(ShmPeer peer) {
        peer.silence();
        control.dropClosed();
        data.dropClosed();
    }

    private void cutOff(ShmPeer peer) {
        peer.isCutOff = true;
        for (LaneKind kind : KINDS) {
            waiting.remove(peer.outbound(kind));
        }
        peer.dropOutbound();
    }

    @Override
    public void depart(ProcessId id) {
        ShmPeer peer = find(id);
        if (peer != null) {
            cutOff(peer);
        }
        tcp.depart(id);
    }

    @Override
    public boolean isHandedOver(ProcessId id) {
        ShmPeer peer = find(id);
        return (peer == null || peer.isHandedOver()) && tcp.isHandedOver(id);
    }

    @Override
    public Iterable<ProcessId> connected() {
        List<ProcessId> all = new ArrayList<>();
        for (ProcessId peer : tcp.connected()) {
            all.add(peer);
        }
        for (ShmPeer peer : peers) {
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
        return tcp.hasLeft() && waiting.isEmpty();
    }

    /**
     * Files stay: what is in lanes may not have been read yet, and who still sends to us must not take a missing mailbox for
     * a lack of room. The launcher removes the directory.
     */
    @Override
    public void close() {
        if (isClosed) {
            return;
        }
        isClosed = true;
        for (ShmPeer peer : peers) {
            if (peer != null) {
                peer.silence();
            }
        }
        bell.close();
        tcp.close();
    }
}
