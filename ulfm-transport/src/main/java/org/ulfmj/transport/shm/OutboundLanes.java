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
 * The lanes to the other ranks of this host. A lane is made when its first frame is sent or by {@link #prepare}, and a
 * receiver that sleeps is woken for a frame that was written, unless the frame is unhurried. If no file can be made for
 * a lane, its frames go over TCP; the first such lane causes a warning, unless only the peer's mailbox was missing.
 * Under the engine lock, except {@link #isRoomFound}.
 *
 * <p>A lane whose frames go over TCP returns to shared memory when there is room. Frames must not overtake each other,
 * so the first frame is written to the lane only after all frames that went by TCP have been delivered. With a steady
 * flow of data frames that would never happen, so once there is a file, data frames are refused until the frames by TCP
 * have been delivered. Control frames are never refused: their lane returns in a pause between two of them.
 */
final class OutboundLanes {
    private static final LaneKind[] KINDS = LaneKind.values();
    /** How long no file is requested after a refusal, for lanes that go by TCP. */
    static final long REFUSAL_NS = 250_000_000;
    /** How long no file is requested after a peer was found without a mailbox, for lanes that go by TCP. */
    static final long LATE_NS = 20_000_000;

    private final ProcessId self;
    private final ShmPeers peers;
    private final ShmFiles files;
    private final Bell bell;
    private final ShmMedium.Detour detour;
    private final LongSupplier clock;
    /** The lanes with frames that wait for room. */
    private final List<OutboundLane> waiting = new ArrayList<>();

    /**
     * The lane that was the last to refuse a frame for lack of room; null if none did, or once room was found in it.
     */
    private volatile OutboundLane refused;

    private boolean hasWarned;
    /** Whether a peer may set up its mailbox only after this rank has learned of it. */
    private boolean mayBeLate;

    /**
     * The time from which a file may be requested again, for any lane that goes by TCP. One time serves all lanes, so
     * that a rank with many such lanes seldom makes a request.
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

    void expectLatecomers() {
        mayBeLate = true;
    }

    /**
     * Rule G10: the first frames to a newcomer go by TCP where it may not have set up its shared memory yet. They tell
     * the newcomer its name, and that this rank exists, whose lanes it would not look for otherwise.
     */
    void begin(ShmPeer newcomer) {
        if (mayBeLate) {
            newcomer.isToBeCalled = true;
            for (LaneKind kind : KINDS) {
                newcomer.goByTcp(kind);
            }
        }
    }

    /**
     * The lane to a peer, which is made if there was none; null if the frames go over TCP, or have to wait for those
     * that went by TCP.
     */
    OutboundLane to(ShmPeer peer, LaneKind kind) {
        OutboundLane lane = peer.outbound(kind);
        if (lane != null) {
            return lane;
        }
        return peer.goesByTcp(kind) ? comeBack(peer, kind) : open(peer, kind);
    }

    /**
     * Whether new frames of a kind, for which {@link #to} has no lane, must wait until the frames that went by TCP have
     * arrived.
     */
    static boolean holds(ShmPeer peer, LaneKind kind) {
        return peer.comingBack(kind) != null;
    }

    /**
     * Brings a lane back from TCP. Returns the lane if all frames that went by TCP have arrived and its file could be
     * made, else null. Null also at the first call for a newcomer that is to be called by TCP.
     */
    private OutboundLane comeBack(ShmPeer peer, LaneKind kind) {
        if (peer.isToBeCalled) {
            peer.isToBeCalled = false;
            return null;
        }
        boolean hasArrived = detour.hasDelivered(peer.id(), kind) && !isCalling(peer);
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

    /**
     * Rule G10: whether peers may be late, and control frames to this one are still in transit by TCP: then no other
     * frame may overtake these.
     */
    private boolean isCalling(ShmPeer peer) {
        return mayBeLate && peer.goesByTcp(LaneKind.CONTROL) && !detour.hasDelivered(peer.id(), LaneKind.CONTROL);
    }

    /**
     * Makes a new lane in place of one that goes by TCP, and does not announce it yet; null if no file can be made now.
     */
    private OutboundLane make(ShmPeer peer, LaneKind kind) {
        long nowNs = clock.getAsLong();
        if (peer.staysWithTcp || nowNs - comeBackNs < 0) {
            return null;
        }
        OutboundLane lane = null;
        try {
            lane = peer.makeOutbound(kind, files, self);
        } catch (NoSuchFileException e) {
            peer.staysWithTcp = !mayBeLate;
            comeBackNs = nowNs + LATE_NS;
            return null;
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
            // If no peer may be late, the peer takes no part in shared memory, or has ended and its files were removed.
            peer.goByTcp(kind);
            peer.staysWithTcp = !mayBeLate;
            comeBackNs = clock.getAsLong() + LATE_NS;
            return null;
        } catch (IOException e) {
            why = e.getMessage();
            peer.staysWithTcp = !ShmFiles.mayPass(e);
        }
        if (lane == null) {
            // If the user requires shared memory, this warning throws, at each attempt, so that no frame goes by TCP
            // unnoticed.
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

    /** Puts the frame into the lane, which is a lane to this peer. Returns whether the frame was taken. */
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

    /**
     * Makes the lane for control frames, if there is none and it can be made, and wakes the peer, which then maps it.
     * Does nothing if the first frame to the peer is still to go by TCP.
     */
    void prepare(ShmPeer peer) {
        if (!peer.isToBeCalled && peer.outbound(LaneKind.CONTROL) == null && to(peer, LaneKind.CONTROL) != null) {
            ring(peer);
        }
    }

    // ---- lack of room

    boolean haveWaiting() {
        return !waiting.isEmpty();
    }

    /**
     * Writes frames that found no room before, and wakes the peers that sleep. Returns in how many of the lanes that
     * had waiting frames none waits any more.
     */
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
     * Whether the lane that was the last to refuse a frame may have room now. True once only per refusal: a sender that
     * still has frames tries again, and without such a sender the rank is not kept awake. Any thread.
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

    /** Tells a peer that it is marked failed, if there is a control lane to the peer or one can be made now. */
    void exclude(ShmPeer peer) {
        OutboundLane lane = to(peer, LaneKind.CONTROL);
        if (lane != null) {
            lane.exclude();
            ring(peer);
        }
    }

    /** Ends all sending to the peer, and drops the lanes to the peer. */
    void cutOff(ShmPeer peer) {
        peer.isCutOff = true;
        for (LaneKind kind : KINDS) {
            waiting.remove(peer.outbound(kind));
        }
        peer.dropOutbound();
    }
}
