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
import org.ulfmj.transport.SleepWatch;
import org.ulfmj.transport.seat.SeatSelector;
import org.ulfmj.transport.session.LinkIdentity;

/**
 * Shared memory between a rank and the others of its host: the lanes, the mailbox and the bell of the rank. Each lane
 * is made when its first frame goes; where no file can be had, its frames take a {@link Detour} until there is room
 * again.
 *
 * <p>A lane needs its receiver neither to have opened it nor to be alive: what was committed is read when it is found,
 * also after the sender's end. A rank that holds its peer for failed closes the lanes from it and tells it so by the
 * last record of the lane to it; so anything that a process that was stopped, excluded and woken still writes, it
 * writes where no process reads.
 *
 * <p>Sleeping: the sleeper says so in its {@link Mailbox}, fences, and looks once more; who commits fences, and rings
 * the {@link Bell} if the receiver says that it sleeps. One of the two sees the other.
 *
 * <p>Threads: as {@link Fabric} says of the methods of the same names; files are made and mapped by any process that
 * needs them. A process that is not of this host is known to no method, and changes nothing.
 */
public final class ShmMedium {
    /** What became of a frame. */
    public enum Outcome {
        /** It is in the lane, or needed no more. */
        TAKEN,
        /** The lane is full. */
        NO_ROOM,
        /** There is no lane for it: it goes another way. */
        NO_LANE,
        /** The lane is there once what went another way has arrived. */
        AWAITS_DETOUR
    }

    /** The way of frames for which no lane can be had. */
    public interface Detour {
        /** Whether the peer has all frames of a lane that went this way. */
        boolean hasDelivered(ProcessId to, LaneKind kind);

        /** Frames to a rank of the same host go this way; told once at most. */
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
     * Dead, and their files still there. Under its own monitor: the first use of a queue without one costs a rank a
     * third of a millisecond in the middle of a failure.
     */
    private final ArrayDeque<ProcessId> leftBehind = new ArrayDeque<>();

    private final Told told = new Told();
    /** Of the sleep that is going on; the thread that sleeps has it. */
    private SleepWatch watch;

    private volatile boolean isClosed;

    /**
     * @param self whose nonce names our mailbox
     * @param ranks of the job, ourselves included
     * @param seat in which this rank sleeps
     * @param clock nanoseconds, the same as the engine's
     * @throws IOException if there is no room even for the mailbox
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

    /** The identities of the others, by the start table. Before the first frame. */
    public void connect(List<MemberRecord> table) {
        peers.connect(table);
    }

    /** Whether a rank is on our host, or ourselves. */
    public boolean reaches(ProcessId id) {
        return peers.reach(id);
    }

    public HostMemory hostMemory() {
        return hostMemory;
    }

    // ---- sending

    /** Puts a frame into the lane of this kind, as {@link Fabric#offer} does, if there is one. */
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

    /** Whether data to a process goes through a lane. */
    public boolean hasLaneTo(ProcessId to) {
        ShmPeer peer = peers.find(to);
        return peer != null && !peer.goesByTcp(LaneKind.DATA);
    }

    /** Makes the lane for control frames before it is needed. */
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

    /** Reads every lane, and writes what found no room before; returns how much was done. */
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

    /** What the lanes tell, on its way to the sink of the call that reads them. */
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

    /** A frame of the process came over TCP; returns whether it is the first since its data lane was opened. */
    public boolean onHeardByTcp(ProcessId from) {
        ShmPeer peer = peers.find(from);
        if (peer == null || peer.isHeardByTcp) {
            return false;
        }
        peer.isHeardByTcp = true;
        return true;
    }

    /**
     * Whether frames of or to the process go over TCP. What is acknowledged comes the way that the data went, though
     * everything else may come through shared memory.
     */
    public boolean usesTcp(ProcessId id) {
        ShmPeer peer = peers.find(id);
        return peer == null || peer.isHeardByTcp || peer.goesByTcp(LaneKind.DATA);
    }

    // ---- sleeping

    /** From now on others ring for what they commit. */
    public void beginSleep() {
        mailbox.beginSleep();
        watch = hostMemory.watch();
        watch.beginSleep();
        VarHandle.fullFence();
    }

    /** Whether nothing has come meanwhile. After {@link #beginSleep}. */
    public boolean maySleep() {
        return arrivals.isEmpty() && !outbound.isRoomFound() && !watch.mayGoOn();
    }

    public void endSleep() {
        watch.endSleep();
        mailbox.endSleep();
    }

    /**
     * Lists and unlinks files, which takes the better part of a millisecond: not under the lock, and not while a
     * failure is being told and every process's cores are full of it.
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

    /** The process is dead for certain. */
    public void onDead(ProcessId id) {
        ShmPeer peer = peers.find(id);
        if (peer != null) {
            peer.isDead = true;
        }
    }

    /** Hands over all that a dead process has sent, and nothing more of it ever. */
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
     * Hands over what the control lane of the process has; returns whether nothing is sent to it any more, as after a
     * goodbye.
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

    /** As {@link Fabric#abandon}. */
    public void abandon(ProcessId id) {
        ShmPeer peer = peers.find(id);
        if (peer == null || peer.isAbandoned) {
            return;
        }
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

    private void leaveBehind(ShmPeer peer) {
        if (!peer.isLeftBehind) {
            peer.isLeftBehind = true;
            synchronized (leftBehind) {
                leftBehind.add(peer.id());
            }
        }
    }

    /** The process of this host that has the slot of a newcomer, if it is an older one; else null. */
    public ProcessId formerOf(ProcessId newcomer) {
        ShmPeer known = peers.inSlot(newcomer.slot());
        return known != null && known.id().incarnation() < newcomer.incarnation() ? known.id() : null;
    }

    /** Makes the slot of an abandoned process free; its files are swept. */
    public void remove(ProcessId former) {
        ShmPeer peer = peers.find(former);
        leaveBehind(peer);
        peers.remove(peer);
    }

    /** As {@link Fabric#admit}, of a process whose slot is free. */
    public void admit(MemberRecord member) {
        ShmPeer newcomer = peers.admit(member);
        if (newcomer != null) {
            arrivals.openAnnounced(newcomer);
        }
    }

    /** Nothing is sent to the process any more: it has said its goodbye. */
    public void depart(ProcessId id) {
        ShmPeer peer = peers.find(id);
        if (peer != null) {
            outbound.cutOff(peer);
        }
    }

    /** Whether the process has read all that was offered to it. */
    public boolean isHandedOver(ProcessId id) {
        ShmPeer peer = peers.find(id);
        return peer == null || peer.isHandedOver();
    }

    /** Adds the processes to or from which there is a lane, those that are there already left out. */
    public void addConnected(List<ProcessId> all) {
        for (ShmPeer peer : peers.bySlot()) {
            if (peer != null && !peer.isCutOff && peer.hasLanes() && !all.contains(peer.id())) {
                all.add(peer.id());
            }
        }
    }

    // ---- our own end

    /**
     * Files stay: what is in lanes may not have been read yet, and who still sends to us must not take a missing
     * mailbox for a lack of room. The launcher removes the directory.
     */
    public void close() {
        isClosed = true;
        for (ShmPeer peer : peers.bySlot()) {
            if (peer != null) {
                peer.silence();
            }
        }
        bell.close();
    }
}
