package org.ulfmj.transport.shm;

import java.io.IOException;
import java.lang.invoke.VarHandle;
import java.util.ArrayDeque;
import java.util.List;
import java.util.function.LongSupplier;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.transport.Fabric;
import org.ulfmj.transport.Frame;
import org.ulfmj.transport.FrameSink;
import org.ulfmj.transport.HostMemory;
import org.ulfmj.transport.LaneKind;
import org.ulfmj.transport.MemberRecord;
import org.ulfmj.transport.ShortPath;
import org.ulfmj.transport.SleepWatch;
import org.ulfmj.transport.seat.SeatSelector;
import org.ulfmj.transport.session.LinkIdentity;

/**
 * Shared memory between a rank and the others of its host: the lanes, the mailbox and the bell of the rank. A lane is
 * made when its first frame is sent, or by {@link #prepare}. If no file can be made for it, its frames take a
 * {@link Detour} until there is room again.
 *
 * <p>A sender can use a lane before its receiver has opened it, and committed records are read also after the sender's
 * end. A rank that marks a peer failed closes the lanes from the peer. It tells a peer that may be alive so by the last
 * record of the control lane to it, if there is such a lane or one can be made. So a process that was stopped, marked
 * failed and woken writes only where that rank does not read any more.
 *
 * <p>Sleeping: the sleeper announces its sleep in its {@link Mailbox}, executes a full fence, and looks for input once
 * more. The sender commits a record, executes a full fence, and rings the {@link Bell} if the mailbox says that the
 * receiver sleeps. So one of the two sees the other.
 *
 * <p>Threads: as {@link Fabric} says of the methods of the same names. A thread that needs a file makes or maps it
 * itself. Every method but {@link #remove} may be called for a process of another host.
 */
public final class ShmMedium {
    /** The outcome of an offered frame. */
    public enum Outcome {
        /**
         * The frame is in the lane or waits in its queue, or was dropped because its receiver is cut off or this medium
         * is closed.
         */
        TAKEN,
        /** The lane is full. */
        NO_ROOM,
        /** There is no lane for the frame: it is to take the {@link Detour}. */
        NO_LANE,
        /**
         * The lane exists, but can be used only after the frames that took the {@link Detour} have arrived. The frame
         * is to be offered again later.
         */
        AWAITS_DETOUR
    }

    /** The other way, over TCP, for frames for which there is no lane. */
    public interface Detour {
        /** Whether the peer has received all frames of this lane that went by TCP. */
        boolean hasDelivered(ProcessId to, LaneKind kind);

        /**
         * Frames to a rank of the same host go by TCP from now on. Not called again once a call has returned.
         *
         * @param why the reason, as a sentence for a warning
         */
        void onTaken(String why);
    }

    private final ShmFiles files;
    private final Mailbox mailbox;
    private final Bell bell;
    private final ShmHostMemory hostMemory;
    private final ShmPeers peers;
    private final Arrivals arrivals;
    private final OutboundLanes outbound;
    /**
     * Dead processes whose files are still to be removed. The queue is guarded by its own monitor: the first use of a
     * lock-free queue would cost a rank a third of a millisecond in the middle of a failure.
     */
    private final ArrayDeque<ProcessId> leftBehind = new ArrayDeque<>();

    private final Told told = new Told();
    /**
     * The {@link SleepWatch} that is asked, before the present sleep begins, whether the rank need sleep at all. Used
     * by the sleeping thread only.
     */
    private SleepWatch watch;

    private volatile boolean isClosed;

    /**
     * @param self identity of this rank; its nonce is the id of this rank's mailbox
     * @param ranks number of ranks of the job, with this one
     * @param seat the selector in which this rank sleeps
     * @param clock nanoseconds, the same as the engine's
     * @throws IOException if the mailbox or the bell cannot be made
     */
    public ShmMedium(LinkIdentity self, int ranks, SeatSelector seat, ShmFiles files, Detour detour, LongSupplier clock)
            throws IOException {
        this.files = files;
        ShmSegment file = files.createMailbox(self.nonce(), Mailbox.bytesFor(ranks));
        if (file == null) {
            throw new IOException(files.refusal());
        }
        this.mailbox = new Mailbox(file.memory());
        try {
            this.bell = new Bell(seat);
        } catch (IOException failed) {
            files.discard(file);
            throw failed;
        }
        mailbox.setBellPort(bell.port());
        this.peers = new ShmPeers(self.id());
        this.arrivals = new Arrivals(peers, mailbox, files);
        this.outbound = new OutboundLanes(self.id(), peers, files, bell, detour, clock);
        this.hostMemory = new ShmHostMemory(self.id(), peers, files, bell, mailbox);
    }

    /**
     * Lets the first frames to each newcomer go by TCP, because a newcomer may set up its mailbox only after this rank
     * has heard of it. To be called before {@link #connect}.
     */
    public void expectLatecomers() {
        outbound.expectLatecomers();
    }

    /**
     * Tells this medium the identities of the other ranks, from the start table. To be called before the first frame.
     */
    public void connect(List<MemberRecord> table) {
        peers.connect(table);
    }

    /** Whether a rank is on this host, in the same pid namespace; true for this rank itself. */
    public boolean reaches(ProcessId id) {
        return peers.reach(id);
    }

    public HostMemory hostMemory() {
        return hostMemory;
    }

    // ---- sending

    /** Puts a frame into the lane of this kind, made if there is none, as {@link Fabric#offer} does. */
    public Outcome offer(ProcessId to, LaneKind kind, Frame frame) {
        ShmPeer peer = peers.find(to);
        if (peer == null) {
            return Outcome.NO_LANE;
        }
        if (frame.payloadBytes() > Frame.MAX_PAYLOAD_BYTES) {
            throw new IllegalArgumentException(
                    "payload of " + frame.payloadBytes() + " bytes, at most " + Frame.MAX_PAYLOAD_BYTES);
        }
        if (peer.isCutOff || isClosed) {
            return Outcome.TAKEN;
        }
        OutboundLane lane = outbound.to(peer, kind);
        if (lane != null) {
            return outbound.offer(lane, peer, frame) ? Outcome.TAKEN : Outcome.NO_ROOM;
        }
        return OutboundLanes.holds(peer, kind) ? Outcome.AWAITS_DETOUR : Outcome.NO_LANE;
    }

    /** As {@link Fabric#shortPath}. */
    public ShortPath shortPath(ProcessId id) {
        ShmPeer peer = peers.find(id);
        return peer == null ? null : peer.shortPath(bell);
    }

    /** Whether data frames to a process go through a lane, perhaps one that is still to be made, and not over TCP. */
    public boolean hasLaneTo(ProcessId to) {
        ShmPeer peer = peers.find(to);
        return peer != null && !peer.goesByTcp(LaneKind.DATA);
    }

    /** Makes the lane for control frames to a process before the first such frame is sent. */
    public void prepare(ProcessId id) {
        ShmPeer peer = peers.find(id);
        if (peer != null && !peer.isCutOff && !isClosed) {
            outbound.prepare(peer);
        }
    }

    /** Whether frames wait for room. */
    public boolean hasWaiting() {
        return outbound.haveWaiting();
    }

    // ---- receiving

    /**
     * Reads the lanes that are not held, and writes frames that found no room before. Returns how many records were
     * read, plus how many lanes have got rid of their waiting frames, plus how often a broken lane was reported.
     */
    public int poll(FrameSink sink) {
        if (isClosed) {
            return 0;
        }
        told.sink = sink;
        try {
            int done = arrivals.read(told);
            if (outbound.haveWaiting()) {
                done += outbound.flush();
            }
            return done + arrivals.tellBroken(sink);
        } finally {
            told.sink = null;
        }
    }

    /** Passes frames and events of the lanes on to the sink of the call that reads them. */
    private final class Told implements InboundLane.Sink {
        private FrameSink sink;

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
    }

    /**
     * A frame of a process came over TCP. Returns whether the process is of this host and the frame is its first by
     * TCP, or the first since its data lane was opened.
     */
    public boolean onHeardByTcp(ProcessId from) {
        ShmPeer peer = peers.find(from);
        if (peer == null || peer.isHeardByTcp) {
            return false;
        }
        peer.isHeardByTcp = true;
        return true;
    }

    /**
     * Whether frames from the process, or data frames to it, go over TCP; true for a process of another host. The
     * acknowledgements of data that goes over TCP come over TCP, though all other frames may come through shared
     * memory.
     */
    public boolean usesTcp(ProcessId id) {
        ShmPeer peer = peers.find(id);
        return peer == null || peer.isHeardByTcp || peer.goesByTcp(LaneKind.DATA);
    }

    // ---- sleeping

    /**
     * Announces the sleep of this rank, so that other ranks of the host that send to it ring its bell, each at most
     * once per sleep.
     */
    public void beginSleep() {
        mailbox.beginSleep();
        watch = hostMemory.watch();
        watch.beginSleep();
        VarHandle.fullFence();
    }

    /**
     * Whether the rank may sleep: no record, no announcement, no room in the lane that last refused a frame, and
     * nothing that the watch knows of has come. To be called after {@link #beginSleep}.
     */
    public boolean maySleep() {
        return arrivals.isEmpty() && !outbound.isRoomFound() && !watch.mayGoOn();
    }

    public void endSleep() {
        watch.endSleep();
        mailbox.endSleep();
    }

    /**
     * Unlinks the files that dead or replaced processes have left. This takes the better part of a millisecond, so it
     * is done without the engine lock, and not while the ranks of the host are busy with a failure.
     */
    public void tidyUp() {
        for (ProcessId dead = nextLeftBehind(); dead != null; dead = nextLeftBehind()) {
            files.forget(dead);
        }
    }

    private ProcessId nextLeftBehind() {
        synchronized (leftBehind) {
            return leftBehind.poll();
        }
    }

    // ---- the end of a peer

    /** Notes that the process is dead for certain. */
    public void onDead(ProcessId id) {
        ShmPeer peer = peers.find(id);
        if (peer != null) {
            peer.isDead = true;
        }
    }

    /** Hands over to {@code sink} all frames in the lanes from a dead process, and then closes these lanes for good. */
    public void readOut(ProcessId id, FrameSink sink) {
        ShmPeer peer = peers.find(id);
        if (peer != null && !peer.isSilenced) {
            told.sink = sink;
            try {
                arrivals.readOut(peer, told);
            } finally {
                told.sink = null;
            }
        }
    }

    /**
     * Hands over to {@code sink} the frames in the control lane of the process. Returns whether this rank sends nothing
     * to the process any more, as after a goodbye.
     */
    public boolean readControl(ProcessId id, FrameSink sink) {
        ShmPeer peer = peers.find(id);
        if (peer != null && !peer.isSilenced) {
            told.sink = sink;
            try {
                arrivals.readControl(peer, told);
            } finally {
                told.sink = null;
            }
        }
        return peer != null && peer.isCutOff;
    }

    /** Ends all traffic with a process that is marked failed, as {@link Fabric#abandon} does. */
    public void abandon(ProcessId id) {
        ShmPeer peer = peers.find(id);
        if (peer == null || peer.isAbandoned) {
            return;
        }
        peer.isAbandoned = true;
        arrivals.silence(peer);
        // A process that is known to be dead, or that has departed, is not told that it is marked failed: no process
        // would have to end itself for it.
        if (!peer.isDead && !peer.isCutOff && !isClosed) {
            outbound.exclude(peer);
        }
        outbound.cutOff(peer);
        if (peer.isDead) {
            leaveBehind(peer);
        }
    }

    private void leaveBehind(ShmPeer peer) {
        if (!peer.isLeftBehind) {
            peer.isLeftBehind = true;
            synchronized (leftBehind) {
                leftBehind.add(peer.id());
            }
        }
    }

    /** The earlier process of this host that has the slot of a newcomer; null if there is none. */
    public ProcessId formerOf(ProcessId newcomer) {
        ShmPeer known = peers.inSlot(newcomer.slot());
        return known != null && known.id().incarnation() < newcomer.incarnation() ? known.id() : null;
    }

    /** Makes the slot of an abandoned process free. The files of the process are removed later ({@link #tidyUp}). */
    public void remove(ProcessId former) {
        ShmPeer peer = peers.find(former);
        leaveBehind(peer);
        peers.remove(peer);
    }

    /** As {@link Fabric#admit}, for a process whose slot is free. */
    public void admit(MemberRecord member) {
        ShmPeer newcomer = peers.admit(member);
        if (newcomer != null) {
            outbound.begin(newcomer);
            arrivals.openAnnounced(newcomer);
        }
    }

    /** Ends all sending to a process that has departed, which means that it said goodbye in Finalize. */
    public void depart(ProcessId id) {
        ShmPeer peer = peers.find(id);
        if (peer != null) {
            outbound.cutOff(peer);
        }
    }

    /** Whether all frames that were offered to the process are in its lanes. */
    public boolean isHandedOver(ProcessId id) {
        ShmPeer peer = peers.find(id);
        return peer == null || peer.isHandedOver();
    }

    /**
     * Adds to a list the processes to or from which there is a lane, except those that this rank no longer sends to and
     * those that are in the list already.
     */
    public void addConnected(List<ProcessId> all) {
        for (ShmPeer peer : peers.bySlot()) {
            if (peer != null && !peer.isCutOff && peer.hasLanes() && !all.contains(peer.id())) {
                all.add(peer.id());
            }
        }
    }

    // ---- the end of this rank

    /**
     * Stops reading and closes the bell. The files stay: receivers may not have read all records yet, and a rank that
     * still sends to this rank must not take a missing mailbox for a lack of room. The launcher removes the directory.
     */
    public void close() {
        isClosed = true;
        for (ShmPeer peer : peers.bySlot()) {
            if (peer != null) {
                peer.silence();
                peer.isCutOff = true;
            }
        }
        bell.close();
    }
}
