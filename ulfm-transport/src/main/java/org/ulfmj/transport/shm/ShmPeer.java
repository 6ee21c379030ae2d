package org.ulfmj.transport.shm;

import java.io.IOException;
import java.net.InetSocketAddress;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.transport.LaneKind;
import org.ulfmj.transport.MemberRecord;
import org.ulfmj.transport.host.HostProcess;

/** Another rank of this host: the lanes from and to it, and how it is woken. Under the engine lock. */
final class ShmPeer {
    private static final int KINDS = LaneKind.values().length;

    private final ProcessId id;
    private final long nonce;
    private final HostProcess owner;
    /** The peer as a process that may write to lent memory; null before it asked, and if it may not. */
    private ShmWriter writer;

    private boolean isWriterKnown;

    /** The peer's; null until something is sent to it. */
    private Mailbox mailbox;

    private InetSocketAddress bell;
    /** The peer's sleep for which it was rung last. */
    private long rungForSleep;

    private final OutboundLane[] outbound = new OutboundLane[KINDS];
    private final boolean[] goesByTcp = new boolean[KINDS];
    /** Made for a lane that goes by TCP, and not used before all that went there has arrived. */
    private final OutboundLane[] comingBack = new OutboundLane[KINDS];

    private final InboundLane[] inbound = new InboundLane[KINDS];
    private final long[] announced = new long[KINDS];

    /** The peer sends by TCP too. */
    boolean isHeardByTcp;
    /** Whether nothing is sent to it any more: it failed or departed. */
    boolean isCutOff;
    /** Whether nothing of it is read any more. */
    boolean isSilenced;
    /** Whether it is dead for certain. */
    boolean isDead;

    boolean isAbandoned;
    /** Whether it has no part in shared memory, or no more: no lane to it comes back from TCP. */
    boolean staysWithTcp;
    /** Its files are, or will be, swept. */
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

    /** Null if it must not be let write to what we lend. */
    ShmWriter writer() {
        if (!isWriterKnown) {
            writer = ShmWriter.of(owner);
            isWriterKnown = true;
        }
        return writer;
    }

    // To it.

    /** Whether something was ever sent to it through shared memory. */
    boolean hasMailbox() {
        return mailbox != null;
    }

    /** The lane to the peer; null if no frame was sent on it, or it goes by TCP. */
    OutboundLane outbound(LaneKind kind) {
        return outbound[kind.ordinal()];
    }

    boolean goesByTcp(LaneKind kind) {
        return goesByTcp[kind.ordinal()];
    }

    /** Until a lane {@linkplain #comeBack comes back}. */
    void goByTcp(LaneKind kind) {
        goesByTcp[kind.ordinal()] = true;
    }

    /** The lane that frames will go by once all that went by TCP has arrived; null if there is none. */
    OutboundLane comingBack(LaneKind kind) {
        return comingBack[kind.ordinal()];
    }

    void setComingBack(LaneKind kind, OutboundLane lane) {
        comingBack[kind.ordinal()] = lane;
    }

    /** All that went by TCP has arrived, so nothing is overtaken. */
    void comeBack(LaneKind kind, OutboundLane lane, ProcessId self) {
        comingBack[kind.ordinal()] = null;
        goesByTcp[kind.ordinal()] = false;
        use(kind, lane, self);
    }

    /**
     * Makes a lane and announces it to the peer; null if there is no room for it.
     *
     * @throws IOException if the peer takes no part in shared memory
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
     * Makes it possible to wake the peer.
     *
     * @throws IOException if the peer takes no part in shared memory
     */
    void openMailbox(ShmFiles files) throws IOException {
        if (mailbox == null) {
            mailbox = new Mailbox(files.openMailbox(id, owner, nonce).memory());
        }
    }

    /** How often it has taken lent memory back; once its mailbox is open. */
    long takenBack(long number) {
        return mailbox.takenBack(number);
    }

    /** Wakes the peer if it sleeps; after a full fence behind what was committed. Once for each sleep. */
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

    /** Whether nothing of what was offered still waits on this side. */
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

    // From it.

    InboundLane inbound(LaneKind kind) {
        return inbound[kind.ordinal()];
    }

    void setInbound(LaneKind kind, InboundLane lane) {
        inbound[kind.ordinal()] = lane;
    }

    /** Whether this file was not announced before. */
    boolean isNews(LaneKind kind, long fileId) {
        boolean isNews = fileId != 0 && announced[kind.ordinal()] != fileId;
        announced[kind.ordinal()] = fileId;
        return isNews;
    }

    /** Lets what was announced last be news again. */
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
