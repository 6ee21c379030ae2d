package org.ulfmj.transport.shm;

import java.io.IOException;
import java.lang.invoke.VarHandle;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.transport.Frame;
import org.ulfmj.transport.LaneKind;

/**
 * The lanes to the other ranks of this host: each is made when its first frame goes, and any process that sleeps at its
 * other end is woken for what was written. A lane for which no file can be had goes over TCP, and the first such one is
 * warned of. Under the engine lock, but for {@link #isRoomFound}.
 *
 * <p>A lane that went over to TCP comes back when there is room. Frames must not overtake each other, so its first
 * frame is written only when all that went by TCP has been delivered. Data that comes without a break would never let
 * that be so: it waits, refused, once there is a file. Control frames never wait: their lane comes back in a pause
 * between two of them.
 */
final class OutboundLanes {
    private static final LaneKind[] KINDS = LaneKind.values();
    /** How long no file is asked for after a refusal. */
    static final long REFUSAL_NS = 250_000_000;

    private final ProcessId self;
    private final ShmPeers peers;
    private final ShmFiles files;
    private final Bell bell;
    private final ShmMedium.Detour detour;
    private final LongSupplier clock;
    /** Have frames for which there was no room. */
    private final List<OutboundLane> waiting = new ArrayList<>();

    /** The lane that lacked room last: when it has some, no sleep is in order. */
    private volatile OutboundLane refused;

    private boolean hasWarned;

    /**
     * The next lane that came to go by TCP may be made anew at this time: however many there are, a rank seldom asks.
     */
    private long comeBackNs;

    OutboundLanes(
            ProcessId self, ShmPeers peers, ShmFiles files, Bell bell, ShmMedium.Detour detour, LongSupplier clock) {
        this.self = self;
        this.peers = peers;
        this.files = files;
        this.bell = bell;
        this.detour = detour;
        this.clock = clock;
        this.comeBackNs = clock.getAsLong();
    }

    /** The lane to a peer, made if there was none; null if it goes over TCP. */
    OutboundLane to(ShmPeer peer, LaneKind kind) {
        OutboundLane lane = peer.outbound(kind);
        if (lane != null) {
            return lane;
        }
        return peer.goesByTcp(kind) ? comeBack(peer, kind) : open(peer, kind);
    }

    /** Whether frames for which there is {@linkplain #to no lane} wait until those that went by TCP have arrived. */
    static boolean holds(ShmPeer peer, LaneKind kind) {
        return peer.comingBack(kind) != null;
    }

    /** The lane, if all that went by TCP has arrived and there is room for a file now. */
    private OutboundLane comeBack(ShmPeer peer, LaneKind kind) {
        boolean hasArrived = detour.hasDelivered(peer.id(), kind);
        OutboundLane lane = peer.comingBack(kind);
        if (lane == null && (hasArrived || kind == LaneKind.DATA)) {
            lane = make(peer, kind);
        }
        if (lane == null || !hasArrived) {
            peer.setComingBack(kind, lane);
            return null;
        }
        peer.comeBack(kind, lane, self);
        return lane;
    }

    /** A file for a lane that goes by TCP; null if there is none now. */
    private OutboundLane make(ShmPeer peer, LaneKind kind) {
        long nowNs = clock.getAsLong();
        if (peer.staysWithTcp || nowNs - comeBackNs < 0) {
            return null;
        }
        OutboundLane lane = null;
        try {
            lane = peer.makeOutbound(kind, files, self);
        } catch (IOException e) {
            peer.staysWithTcp = !ShmFiles.mayPass(e);
        }
        if (lane == null) {
            comeBackNs = nowNs + REFUSAL_NS;
        }
        return lane;
    }

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
            peer.staysWithTcp = true;
            return null;
        } catch (IOException e) {
            why = e.getMessage();
            peer.staysWithTcp = !ShmFiles.mayPass(e);
        }
        if (lane == null) {
            // Where shared memory is required this throws, at each attempt: nothing goes by TCP in silence.
            warn("rank " + self + " uses TCP to rank " + peer.id() + " on its own host: " + why);
            peer.goByTcp(kind);
            comeBackNs = clock.getAsLong() + REFUSAL_NS;
        }
        return lane;
    }

    private void warn(String text) {
        if (!hasWarned) {
            detour.onTaken(text);
            hasWarned = true;
        }
    }

    /** Whether the frame was taken into the lane, which is one to this peer. */
    boolean offer(OutboundLane lane, ShmPeer peer, Frame frame) {
        if (!lane.offer(frame)) {
            refused = lane;
            return false;
        }
        if (lane.hasWaiting() && !waiting.contains(lane)) {
            waiting.add(lane);
        }
        if (!frame.isUnhurried()) {
            ring(peer);
        }
        lane.fetchAhead();
        return true;
    }

    private void ring(ShmPeer peer) {
        VarHandle.fullFence();
        peer.ringIfAsleep(bell);
    }

    /** Makes the lane for control frames, which the peer maps when it is told of it. */
    void prepare(ShmPeer peer) {
        if (peer.outbound(LaneKind.CONTROL) == null && to(peer, LaneKind.CONTROL) != null) {
            ring(peer);
        }
    }

    // ---- lack of room

    boolean haveWaiting() {
        return !waiting.isEmpty();
    }

    /** Writes what found no room before; how many lanes have nothing left that waits. */
    int flush() {
        int done = 0;
        for (int i = waiting.size() - 1; i >= 0; i--) {
            OutboundLane lane = waiting.get(i);
            if (lane.flush()) {
                waiting.remove(i);
                done++;
            }
        }
        peers.ringSleepers(bell);
        return done;
    }

    /**
     * Once for each refusal: who still has something to send tries again, and no other process is kept awake. Any
     * thread.
     */
    boolean isRoomFound() {
        OutboundLane lacking = refused;
        if (lacking == null || !lacking.mayHaveRoom()) {
            return false;
        }
        refused = null;
        return true;
    }

    // ---- the end of a peer

    /** Tells a peer that it is marked failed. */
    void exclude(ShmPeer peer) {
        OutboundLane lane = to(peer, LaneKind.CONTROL);
        if (lane != null) {
            lane.exclude();
            ring(peer);
        }
    }

    /** Nothing is sent to the peer any more. */
    void cutOff(ShmPeer peer) {
        peer.isCutOff = true;
        for (LaneKind kind : KINDS) {
            waiting.remove(peer.outbound(kind));
        }
        peer.dropOutbound();
    }
}
