package org.ulfmj.transport.shm;

import java.io.IOException;
import java.lang.invoke.VarHandle;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.transport.Frame;
import org.ulfmj.transport.LaneKind;

/**
 * The lanes to the other ranks of this host: each is made when its first frame goes, and whoever sleeps at its other end is
 * woken for what was written. A lane for which no file can be had goes over TCP for good, and the first such one is warned
 * of. Under the engine lock, but for {@link #isRoomFound}.
 */
final class OutboundLanes {
    private static final LaneKind[] KINDS = LaneKind.values();

    private final ProcessId self;
    private final ShmPeers peers;
    private final ShmFiles files;
    private final Bell bell;
    private final Consumer<String> warnings;
    /** Have frames for which there was no room. */
    private final List<OutboundLane> waiting = new ArrayList<>();

    /** The lane that lacked room last: when it has some, no sleep is in order. */
    private volatile OutboundLane refused;

    private boolean hasWarned;

    OutboundLanes(ProcessId self, ShmPeers peers, ShmFiles files, Bell bell, Consumer<String> warnings) {
        this.self = self;
        this.peers = peers;
        this.files = files;
        this.bell = bell;
        this.warnings = warnings;
    }

    /** The lane to a peer, made if there was none; null if it goes over TCP. */
    OutboundLane to(ShmPeer peer, LaneKind kind) {
        OutboundLane lane = peer.outbound(kind);
        return lane != null || peer.goesByTcp(kind) ? lane : open(peer, kind);
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
            return null;
        } catch (IOException e) {
            why = e.getMessage();
        }
        if (lane == null) {
            // Where shared memory is required this throws, at each attempt: nothing goes by TCP in silence.
            warn("rank " + self + " uses TCP to rank " + peer.id() + " on its own host: " + why);
            peer.goByTcp(kind);
        }
        return lane;
    }

    private void warn(String text) {
        if (!hasWarned) {
            warnings.accept(text);
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
        if ((frame.flags & Frame.UNHURRIED) == 0) {
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

    /** Once for each refusal: who still has something to send tries again, and nobody else is kept awake. Any thread. */
    boolean isRoomFound() {
        OutboundLane lacking = refused;
        if (lacking == null || !lacking.mayHaveRoom()) {
            return false;
        }
        refused = null;
        return true;
    }

    // ---- the end of a peer

    /** Tells a peer that it is held for failed. */
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
