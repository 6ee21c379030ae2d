package org.ulfmj.transport.shm;

import java.io.IOException;
import java.net.InetSocketAddress;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.transport.LaneKind;
import org.ulfmj.transport.MemberRecord;
import org.ulfmj.transport.ShortPath;
import org.ulfmj.transport.host.HostProcess;

/**
 * Another rank of this host, the peer: the lanes from and to the peer, and the means to wake it. Under the engine lock.
 */
final class ShmPeer {
    private static final int KINDS = LaneKind.values().length;

    private final ProcessId id;
    private final long nonce;
    private final HostProcess owner;
    /**
     * The peer as a writer into memory that this rank lends. Null before {@link #writer()} is called, and for a peer
     * that must not write.
     */
    private ShmWriter writer;

    private boolean isWriterKnown;

    /** The peer's mailbox; null until this rank needs it. */
    private Mailbox mailbox;

    private InetSocketAddress bell;
    /** The number of the peer's sleep for which this rank last rang the bell. */
    private long rungForSleep;

    private final OutboundLane[] outbound = new OutboundLane[KINDS];
    private final boolean[] goesByTcp = new boolean[KINDS];
    /** Lanes that were made to replace TCP, and are not used before all frames that went by TCP have arrived. */
    private final OutboundLane[] comingBack = new OutboundLane[KINDS];

    private ShortPath shortPath;

    private final InboundLane[] inbound = new InboundLane[KINDS];
    private final long[] announced = new long[KINDS];

    /** Whether frames of the peer have come by TCP since its data lane was opened, or at all if it was not. */
    boolean isHeardByTcp;
    /** Whether nothing is sent to the peer any more, because the peer failed or departed, or the medium was closed. */
    boolean isCutOff;
    /** Whether nothing from the peer is read any more. */
    boolean isSilenced;
    /** Whether the peer is dead for certain. */
    boolean isDead;

    boolean isAbandoned;
    /** Whether the first frame to the peer is still to go by TCP. */
    boolean isToBeCalled;
    /**
     * Whether no lane to the peer comes back from TCP, because the peer's mailbox is missing for good, wrong, or
     * without room for this rank.
     */
    boolean staysWithTcp;
    /** Whether the peer's files were removed, or are queued to be. */
    boolean isLeftBehind;

    ShmPeer(MemberRecord member) {
        this.id = member.id();
        this.nonce = member.nonce();
        this.owner = member.process();
    }

    ProcessId id() {
        return id;
    }

    HostProcess owner() {
        return owner;
    }

    /**
     * The peer as a writer into memory that this rank lends. Null if the peer must not write there, because its process
     * was not {@linkplain HostProcess#isVisible visible} to this rank at the first call.
     */
    ShmWriter writer() {
        if (!isWriterKnown) {
            writer = ShmWriter.of(owner);
            isWriterKnown = true;
        }
        return writer;
    }

    // Sending to the peer.

    /**
     * Whether this rank has opened the peer's mailbox. It does so before it makes its first lane to the peer, and
     * before it opens or borrows a segment or lent memory of the peer ({@link ShmHostMemory}). To read the lanes that
     * the peer makes, it does not need the mailbox.
     */
    boolean hasMailbox() {
        return mailbox != null;
    }

    /**
     * The lane of this kind to the peer; null if there is none, because it was not made yet, its frames go by TCP, or
     * it was dropped.
     */
    OutboundLane outbound(LaneKind kind) {
        return outbound[kind.ordinal()];
    }

    boolean goesByTcp(LaneKind kind) {
        return goesByTcp[kind.ordinal()];
    }

    /** Lets the frames of a lane go by TCP, until the lane {@linkplain #comeBack comes back}. */
    void goByTcp(LaneKind kind) {
        goesByTcp[kind.ordinal()] = true;
    }

    /** The lane that will be used once all frames that went by TCP have arrived; null if there is none. */
    OutboundLane comingBack(LaneKind kind) {
        return comingBack[kind.ordinal()];
    }

    void setComingBack(LaneKind kind, OutboundLane lane) {
        comingBack[kind.ordinal()] = lane;
    }

    /**
     * Uses a lane instead of TCP from now on. To be called once all frames that went by TCP have arrived, so that no
     * frame is overtaken.
     */
    void comeBack(LaneKind kind, OutboundLane lane, ProcessId self) {
        comingBack[kind.ordinal()] = null;
        goesByTcp[kind.ordinal()] = false;
        use(kind, lane, self);
    }

    /**
     * Makes a lane and announces it to the peer; null if its file cannot be made.
     *
     * @throws IOException if the peer's mailbox cannot be opened, or has no room for this rank
     */
    OutboundLane openOutbound(LaneKind kind, ShmFiles files, ProcessId self) throws IOException {
        OutboundLane lane = makeOutbound(kind, files, self);
        if (lane != null) {
            use(kind, lane, self);
        }
        return lane;
    }

    /** As {@link #openOutbound}, but the peer is not told of the lane. */
    OutboundLane makeOutbound(LaneKind kind, ShmFiles files, ProcessId self) throws IOException {
        openMailbox(files);
        if (!mailbox.hasRoomFor(self.slot())) {
            throw new WrongFileException("the mailbox of rank " + id + " has no room for slot " + self.slot());
        }
        return OutboundLane.open(files, id, kind);
    }

    private void use(LaneKind kind, OutboundLane lane, ProcessId self) {
        outbound[kind.ordinal()] = lane;
        mailbox.announce(self, kind, lane.fileId());
    }

    /**
     * Opens the peer's mailbox, if it is not open. It is needed to wake the peer.
     *
     * @throws IOException if the mailbox cannot be opened, as when the peer takes no part in shared memory
     */
    void openMailbox(ShmFiles files) throws IOException {
        if (mailbox == null) {
            mailbox = new Mailbox(files.openMailbox(id, owner, nonce).memory());
        }
    }

    /**
     * A count in the peer's mailbox that changes when the peer takes back the lent memory with this number. To be
     * called only once the peer's mailbox is open.
     */
    long takenBack(long number) {
        return mailbox.takenBack(number);
    }

    /**
     * Wakes the peer if it sleeps, once per sleep. To be called only once the peer's mailbox is open, and after a full
     * fence behind what the peer is to see.
     */
    void ringIfAsleep(Bell own) {
        long sleep = mailbox.sleep();
        if (sleep != 0 && sleep != rungForSleep) {
            rungForSleep = sleep;
            ring(own);
        }
    }

    private void ring(Bell own) {
        try {
            if (bell == null) {
                bell = Bell.addressOf(mailbox.bellPort());
            }
            own.ring(bell);
        } catch (IOException e) {
            throw new IllegalStateException("four bytes are no address", e);
        }
    }

    /** Whether all frames that were offered to the peer are in its lanes, and none waits for room. */
    boolean isHandedOver() {
        for (OutboundLane lane : outbound) {
            if (lane != null && lane.hasWaiting()) {
                return false;
            }
        }
        return true;
    }

    void dropOutbound() {
        for (int kind = 0; kind < KINDS; kind++) {
            outbound[kind] = null;
            comingBack[kind] = null;
        }
    }

    /** The short path through the data lanes to and from the peer. It is made at the first call. */
    ShortPath shortPath(Bell own) {
        if (shortPath == null) {
            shortPath = new ShmShortPath(this, own);
        }
        return shortPath;
    }

    // Receiving from the peer.

    InboundLane inbound(LaneKind kind) {
        return inbound[kind.ordinal()];
    }

    void setInbound(LaneKind kind, InboundLane lane) {
        inbound[kind.ordinal()] = lane;
    }

    /**
     * Whether the peer announces for lanes of this kind a file other than the one that it announced last. This file is
     * the one announced last from now on.
     */
    boolean isNews(LaneKind kind, long fileId) {
        boolean isNews = fileId != 0 && announced[kind.ordinal()] != fileId;
        announced[kind.ordinal()] = fileId;
        return isNews;
    }

    /** Lets the file that was announced last count as not announced, so that opening it is tried again. */
    void keepNews(LaneKind kind) {
        announced[kind.ordinal()] = 0;
    }

    void silence() {
        isSilenced = true;
        for (int kind = 0; kind < KINDS; kind++) {
            if (inbound[kind] != null) {
                inbound[kind].close();
                inbound[kind] = null;
            }
        }
    }

    boolean hasLanes() {
        for (int kind = 0; kind < KINDS; kind++) {
            if (inbound[kind] != null || outbound[kind] != null) {
                return true;
            }
        }
        return false;
    }
}
