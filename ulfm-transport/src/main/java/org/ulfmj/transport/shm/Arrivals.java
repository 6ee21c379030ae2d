package org.ulfmj.transport.shm;

import java.io.IOException;
import java.util.ArrayDeque;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.transport.FrameSink;
import org.ulfmj.transport.LaneKind;
import org.ulfmj.transport.TransportLog;

/**
 * What comes to this rank through shared memory: a lane is opened when its announcement is found in our mailbox, and
 * read until its sender is silenced. Under the engine lock, but for {@link #isEmpty}.
 */
final class Arrivals {
    private static final LaneKind[] KINDS = LaneKind.values();
    private static final int DATA_FRAMES_A_POLL = 32;
    /** More than a lane can hold in all its files, from the first to the largest. */
    private static final long MAX_LANE_BYTES = 4L * OutboundLane.MAX_FILE_BYTES;

    private final ShmPeers peers;
    private final Mailbox mailbox;
    private final ShmFiles files;
    private final InboundLanes control = new InboundLanes();
    private final InboundLanes data = new InboundLanes();
    private final ArrayDeque<ProcessId> broken = new ArrayDeque<>();
    /** Whether the queue holds any: every poll asks, and this is where it looks anyway. */
    private boolean hasBroken;

    private long announcementsSeen;
    /** Whether an announced lane could not be opened for lack of descriptors, and is tried again at each poll. */
    private boolean isOneLeft;

    Arrivals(ShmPeers peers, Mailbox mailbox, ShmFiles files) {
        this.peers = peers;
        this.mailbox = mailbox;
        this.files = files;
    }

    /** Reads every lane, control first; the number of frames. */
    int read(InboundLane.Sink sink) {
        if (mailbox.announcements() != announcementsSeen || isOneLeft) {
            openAnnounced();
        }
        int frames = control.read(Integer.MAX_VALUE, sink);
        return frames + data.read(DATA_FRAMES_A_POLL, sink);
    }

    /** Whether nothing would be read now. Any thread. */
    boolean isEmpty() {
        return mailbox.announcements() == announcementsSeen && control.areEmpty() && data.areEmpty();
    }

    private void openAnnounced() {
        announcementsSeen = mailbox.announcements();
        isOneLeft = false;
        for (ShmPeer peer : peers.bySlot()) {
            if (peer != null && !peer.isSilenced) {
                openAnnounced(peer);
            }
        }
    }

    /** What one peer has announced, also before it was a peer. */
    void openAnnounced(ShmPeer peer) {
        for (LaneKind kind : KINDS) {
            long fileId = mailbox.lane(peer.id(), kind);
            if (peer.inbound(kind) != null || !peer.isNews(kind, fileId)) {
                continue;
            }
            try {
                InboundLane lane = new InboundLane(peer, kind, files, fileId);
                peer.setInbound(kind, lane);
                (kind == LaneKind.CONTROL ? control : data).add(lane);
                if (kind == LaneKind.DATA) {
                    // Where it sent by TCP before, that is over: the link need not be read at each wait any more.
                    peer.isHeardByTcp = false;
                }
            } catch (IOException e) {
                if (ShmFiles.mayPass(e)) {
                    peer.keepNews(kind);
                    isOneLeft = true;
                } else {
                    onBroken(peer, e.toString());
                }
            }
        }
    }

    /** Nothing more can be read of a peer, and {@link #tellBroken} will say so. */
    void onBroken(ShmPeer peer, String why) {
        TransportLog.error("shared memory from rank " + peer.id() + ": " + why + "; nothing more is read of it");
        broken.add(peer.id());
        hasBroken = true;
    }

    /** Tells of peers whose lanes broke since the last call; how many. */
    int tellBroken(FrameSink sink) {
        if (!hasBroken) {
            return 0;
        }
        int told = 0;
        for (ProcessId peer = broken.poll(); peer != null; peer = broken.poll()) {
            sink.onLinkBroken(peer);
            told++;
        }
        hasBroken = false;
        return told;
    }

    // ---- the end of a peer

    /** What the control lane has by now: a goodbye may be in it. */
    void readControl(ShmPeer peer, InboundLane.Sink sink) {
        openAnnounced(peer);
        readAll(peer, LaneKind.CONTROL, sink);
    }

    /** All that a dead peer has sent, and nothing more of it ever. */
    void readOut(ShmPeer peer, InboundLane.Sink sink) {
        openAnnounced(peer);
        for (LaneKind kind : KINDS) {
            readAll(peer, kind, sink);
        }
        silence(peer);
    }

    /**
     * Reads what is committed. A dead process commits nothing more; what another one adds meanwhile is read only up to
     * a number of bytes. No time bounds it: what is in a lane has arrived, and a thread that was kept from its core in
     * the middle must not take it for lost.
     */
    private static void readAll(ShmPeer peer, LaneKind kind, InboundLane.Sink sink) {
        InboundLane lane = peer.inbound(kind);
        long endBytes = lane == null ? 0 : lane.readBytes() + MAX_LANE_BYTES;
        while (lane != null && !peer.isSilenced && lane.readBytes() < endBytes && lane.read(1, sink) > 0) {
            // as long as there is something
        }
    }

    /** Nothing of the peer is read any more. */
    void silence(ShmPeer peer) {
        peer.silence();
        control.dropClosed();
        data.dropClosed();
    }
}
