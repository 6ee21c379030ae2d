package org.ulfmj.transport.shm;

import java.io.IOException;
import java.util.ArrayDeque;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.transport.FrameSink;
import org.ulfmj.transport.LaneKind;
import org.ulfmj.transport.TransportLog;

/**
 * Reads the lanes to this rank in shared memory. A lane is opened when its announcement is found in this rank's
 * mailbox, and read until it is closed. Under the engine lock, except {@link #isEmpty}.
 */
final class Arrivals {
    private static final LaneKind[] KINDS = LaneKind.values();
    private static final int DATA_FRAMES_A_POLL = 32;
    /** More bytes than all files of a lane, from the first to the largest, can hold at one time. */
    private static final long MAX_LANE_BYTES = 4L * OutboundLane.MAX_FILE_BYTES;

    private final ShmPeers peers;
    private final Mailbox mailbox;
    private final ShmFiles files;
    private final InboundLanes control = new InboundLanes();
    private final InboundLanes data = new InboundLanes();
    private final ArrayDeque<ProcessId> broken = new ArrayDeque<>();
    /**
     * Whether {@link #broken} holds any peer. A field of this object, because every poll asks and has the object in the
     * cache.
     */
    private boolean hasBroken;

    private long announcementsSeen;
    /** Whether an announced lane could not be opened for a reason that may pass, so that the next poll tries again. */
    private boolean isOneLeft;

    Arrivals(ShmPeers peers, Mailbox mailbox, ShmFiles files) {
        this.peers = peers;
        this.mailbox = mailbox;
        this.files = files;
    }

    /**
     * Opens lanes that were announced, and reads records of the lanes that are not held, control lanes first. Returns
     * the number of records read.
     */
    int read(InboundLane.Sink sink) {
        if (mailbox.announcements() != announcementsSeen || isOneLeft) {
            openAnnounced();
        }
        int frames = control.read(Integer.MAX_VALUE, sink);
        return frames + data.read(DATA_FRAMES_A_POLL, sink);
    }

    /** Whether no lane has a record and no lane was announced since this rank last looked for new ones. Any thread. */
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

    /** Opens the lanes that one peer has announced, also those announced before the peer was admitted. */
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
                    // The peer's data now comes through the lane and not by TCP, so the link need not be read at each
                    // wait any more.
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

    /** A lane from a peer cannot be read any more: logs the reason, and lets {@link #tellBroken} report the peer. */
    void onBroken(ShmPeer peer, String why) {
        TransportLog.error("shared memory from rank " + peer.id() + ": " + why + "; nothing more is read of it");
        broken.add(peer.id());
        hasBroken = true;
    }

    /** Reports the peers whose lanes broke since the last call. Returns how many. */
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

    /** Reads the control lane of a peer whose lifeline has ended, as a goodbye may be in it. */
    void readControl(ShmPeer peer, InboundLane.Sink sink) {
        openAnnounced(peer);
        readAll(peer, LaneKind.CONTROL, sink);
    }

    /** Reads all records that a dead peer has committed, and then silences the peer. */
    void readOut(ShmPeer peer, InboundLane.Sink sink) {
        openAnnounced(peer);
        for (LaneKind kind : KINDS) {
            readAll(peer, kind, sink);
        }
        silence(peer);
    }

    /**
     * Reads all committed records of a lane. A dead process commits no more; of a live process, which may add records
     * meanwhile, only a limited number of bytes is read. There is no time limit: a record in a lane has arrived, and
     * must be read even if this thread is kept from its core for a while.
     */
    private static void readAll(ShmPeer peer, LaneKind kind, InboundLane.Sink sink) {
        InboundLane lane = peer.inbound(kind);
        long endBytes = lane == null ? 0 : lane.readBytes() + MAX_LANE_BYTES;
        while (lane != null && !peer.isSilenced && lane.readBytes() < endBytes && lane.read(1, sink) > 0) {
            // reads until the lane is empty or the limit is reached
        }
    }

    /** Closes the lanes from the peer for good. */
    void silence(ShmPeer peer) {
        peer.silence();
        control.dropClosed();
        data.dropClosed();
    }
}
