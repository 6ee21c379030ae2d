package org.ulfmj.transport.session;

import org.ulfmj.protocol.Timing;

/**
 * What one rank knows of its connection to one peer, and decides about it. Of all connections that the two ever open,
 * in either direction and even at the same time, both come to use the same one: the lower slot numbers them, and only
 * an attempt that knew of the newest one is taken. Frames are numbered once per session, not per connection, and
 * delivered in order, whole and once.
 *
 * <p>Every rule is named where it stands:
 *
 * <ul>
 *   <li>L2, who dials: either, when it has frames and no connection. A connection that had carried frames and is lost
 *       is reported as broken and not dialed again; should the peer dial, it is taken.
 *   <li>L3 to L7, the numbers: which of two crossing attempts counts.
 *   <li>L8 and L9, adoption and delivery; L10 and L11, acknowledgements and time limits.
 *   <li>L13, the budget: how long a rank that leaves waits for an acknowledgement, and a rank for a first connection.
 *   <li>L14, the mark; L15, incarnations; L16 and L17, the goodbye and the end; L18, refusals.
 * </ul>
 *
 * The proofs of a handshake (L1) are the driver's: a HELLO, an answer and a frame get here only when they are proven.
 * Memory per peer is a handful of numbers (L19). Threads: one at a time, as every protocol. The methods for frames do
 * not allocate.
 *
 * @param <C> a connection of the driver; compared by identity
 */
public final class LinkSession<C> {
    private final LinkIdentity self;
    private final LinkIdentity peer;
    /** We are the lower slot: we number connections. */
    private final boolean isLower;

    private final Timing timing;
    private final LinkActions<C> actions;
    private final DialPace dialPace;
    private final AckPace ackPace = new AckPace();
    private final Lingering<C> lingering = new Lingering<>();

    /** Frames that the driver has for the peer, sent or not, since the session began. */
    private long offered;

    private long next = 1;
    private long lastWritten;
    private long acked;
    private long delivered;
    private long generation;
    private long top;

    private C adopted;
    /** The peer knows of the adopted connection too: it accepted it, or has written to it. */
    private boolean isConfirmed;

    private C dial;
    private boolean helloWritten;
    private long dialNumber;
    private long dialDeadlineNs;

    /** A confirmed connection ended and no other took its place. */
    private boolean isLost;

    private boolean isBroken;
    private boolean isMarked;
    private boolean isDeparted;
    private boolean isExcluded;
    private boolean isLeaving;
    /** A leaver that owes this peer nothing any more. */
    private boolean isDone;
    /** The time of the last acknowledgement, or of the first frame after everything had been acknowledged. */
    private long progressNs;

    public LinkSession(LinkIdentity self, LinkIdentity peer, Timing timing, LinkActions<C> actions) {
        if (self.id().slot() == peer.id().slot()) {
            throw new IllegalArgumentException("no session of " + self + " with " + peer + ", which has its own slot");
        }
        this.self = self;
        this.peer = peer;
        this.isLower = self.id().slot() < peer.id().slot();
        this.timing = timing;
        this.actions = actions;
        this.dialPace = new DialPace(timing);
    }

    // ---- frames to the peer

    /** The driver has one more frame. Not to be called once {@link #isClosedToFrames}. */
    public void onOffered(long nowNs) {
        if (offered == acked) {
            progressNs = nowNs;
        }
        offered++;
        if (adopted == null) {
            dialIfDue(nowNs);
        }
    }

    /** Number of the frame to be written next; at most {@link #lastWritten} if it was written before. */
    public long nextToWrite() {
        return next;
    }

    public long lastWritten() {
        return lastWritten;
    }

    /** Whether a frame may be written now. */
    public boolean canWrite() {
        return adopted != null && next <= offered && !isClosedToFrames();
    }

    /** The driver writes frame {@link #nextToWrite}; returns the acknowledgement that goes with it. */
    public long onWrite() {
        if (!canWrite()) {
            throw new IllegalStateException("frame " + next + " to " + peer + " written, of " + offered + " offered");
        }
        lastWritten = Math.max(lastWritten, next);
        next++;
        ackPace.onSent();
        return delivered;
    }

    // ---- frames from the peer

    /**
     * A frame came. Returns whether it is to be delivered (rule L9); afterwards the connection may have been closed.
     *
     * @param acknowledgeNow the sender waits for the acknowledgement
     */
    public boolean onData(C connection, long sequence, long ackUpTo, boolean acknowledgeNow, int bytes, long nowNs) {
        if (connection != adopted) {
            return false;
        }
        onAck(connection, ackUpTo, nowNs);
        if (connection != adopted) {
            return false; // that was the acknowledgement we had waited for to leave
        }
        if (sequence == delivered + 1) {
            delivered++;
            ackPace.onDelivered(bytes, acknowledgeNow, nowNs);
            return true;
        }
        if (sequence <= delivered) {
            ackPace.onRepeated(nowNs);
        } else {
            onCorrupt(connection, nowNs);
        }
        return false;
    }

    /** The peer has delivered our frames up to this number. */
    public void onAck(C connection, long ackUpTo, long nowNs) {
        if (connection == adopted) {
            isConfirmed = true;
            onPeerDelivered(ackUpTo, nowNs);
            if (isLeaving) {
                finishIfDone(nowNs);
            }
        }
    }

    private void onPeerDelivered(long upTo, long nowNs) {
        if (upTo > lastWritten) {
            throw new IllegalStateException("rank " + peer + " acknowledges frame " + upTo + " of " + self
                    + ", which has written " + lastWritten);
        }
        if (upTo > acked) {
            acked = upTo;
            progressNs = nowNs;
            if (!isOver()) {
                actions.acknowledged(acked);
            }
        }
    }

    /** Bytes came that are no frame, or not the one that was sent: the connection cannot be trusted any more. */
    public void onCorrupt(C connection, long nowNs) {
        if (connection == adopted) {
            isConfirmed = true; // any process that writes has adopted it
        }
        onEnd(connection, nowNs);
    }

    // ---- connections

    /** The dialed peer has challenged us. */
    public void onChallenge(C connection, long nowNs) {
        if (connection != dial || helloWritten) {
            onEnd(connection, nowNs);
        } else if (adopted != null) {
            // L7: no HELLO was written, so no process can have taken it, and it must not displace what we have.
            endDial();
        } else {
            helloWritten = true;
            dialNumber = isLower ? ++top : generation; // L3
            dialDeadlineNs = nowNs + dialPace.answerNs();
            actions.sendHello(dial, new LinkHello(self, peer, dialNumber, delivered));
        }
    }

    /** The dialed peer has adopted our connection (rule L6). */
    public void onOk(C connection, LinkOk ok, long nowNs) {
        if (connection != dial || !helloWritten) {
            onEnd(connection, nowNs);
            return;
        }
        if (isOver() || (!isLower && ok.generation() <= generation)) {
            endDial();
        } else {
            dial = null;
            generation = isLower ? dialNumber : ok.generation();
            adopt(connection, ok.lastDelivered(), nowNs);
            isConfirmed = true;
        }
        afterChange(nowNs);
    }

    /** The dialed peer does not adopt our connection. */
    public void onRefusal(C connection, LinkRefusal refusal, long nowNs) {
        if (connection != dial || !helloWritten) {
            onEnd(connection, nowNs);
            return;
        }
        endDial();
        dialPace.onFailed(nowNs);
        if (refusal instanceof LinkRefusal.Stale stale) {
            if (!isLower) {
                generation = Math.max(generation, stale.generation());
            }
        } else if (refusal instanceof LinkRefusal.YouFailed) {
            exclude();
        } else if (refusal instanceof LinkRefusal.NotMe notMe) {
            onOtherIdentity(notMe.me());
        }
        afterChange(nowNs);
    }

    private void onOtherIdentity(LinkIdentity other) {
        if (other.id().slot() == peer.id().slot()
                && other.id().incarnation() > peer.id().incarnation()) {
            if (!isDone) {
                actions.superseded(other);
            }
        } else {
            actions.misnamed(other);
        }
    }

    /** A dialer has proved that it belongs to the job and says who it is; its slot is this session's peer. */
    public void onHello(C connection, LinkHello hello, long nowNs) {
        int incarnation = hello.from().id().incarnation();
        if (incarnation > peer.id().incarnation()) {
            // L15. It is not answered: it dials again, and finds a fresh session once this peer is marked. A leaver
            // that is done (L17) does not even tell: it would open a session only to end it.
            onOtherIdentity(hello.from());
            actions.close(connection);
        } else if (!hello.to().equals(self)) {
            refuse(connection, new LinkRefusal.NotMe(self), nowNs);
        } else if (incarnation < peer.id().incarnation()) {
            refuse(connection, new LinkRefusal.YouFailed(), nowNs);
        } else if (!hello.from().equals(peer)) {
            actions.misnamed(hello.from());
            refuse(connection, new LinkRefusal.NotMe(self), nowNs);
        } else if (isMarked) {
            refuse(connection, new LinkRefusal.YouFailed(), nowNs); // L14
        } else if (isExcluded) {
            actions.close(connection);
        } else if (isLower ? hello.generation() >= generation : hello.generation() > generation) {
            accept(connection, hello, nowNs);
        } else {
            refuse(connection, new LinkRefusal.Stale(generation), nowNs);
        }
        afterChange(nowNs);
    }

    /** L4 at the higher slot, L5 at the lower one. */
    private void accept(C connection, LinkHello hello, long nowNs) {
        if (isLower) {
            if (dial != null) {
                endDial();
            }
            generation = ++top;
        } else {
            generation = hello.generation();
        }
        actions.sendOk(connection, new LinkOk(generation, delivered));
        adopt(connection, hello.lastDelivered(), nowNs);
        isConfirmed = false;
    }

    private void refuse(C connection, LinkRefusal refusal, long nowNs) {
        actions.sendRefusal(connection, refusal);
        halfClose(connection, nowNs); // L18
    }

    /** L8: from now on this is the connection, and what the peer had not delivered goes out again on it. */
    private void adopt(C connection, long lastDelivered, long nowNs) {
        if (adopted != null) {
            actions.close(adopted);
        }
        adopted = connection;
        dialPace.onAdopted();
        progressNs = nowNs;
        onPeerDelivered(lastDelivered, nowNs);
        next = acked + 1;
        isLost = false;
        if (isBroken) {
            isBroken = false;
            actions.restored();
        }
        actions.adopted(connection);
    }

    /** The connection ended: end of file, reset, refused, or not to be trusted. */
    public void onEnd(C connection, long nowNs) {
        actions.close(connection);
        if (connection == adopted) {
            adopted = null;
            // An unconfirmed one the peer may never have known of: it will dial again, and so may we.
            isLost = isConfirmed;
        } else if (connection == dial) {
            dial = null;
            dialPace.onFailed(nowNs);
        } else {
            lingering.remove(connection);
        }
        afterChange(nowNs);
    }

    /** The peer has marked us failed: proven, as it comes on a proven connection. */
    public void onYouFailed(C connection, long nowNs) {
        exclude();
        onEnd(connection, nowNs);
    }

    private void exclude() {
        if (!isExcluded) {
            isExcluded = true;
            actions.excluded();
            actions.discarded();
        }
    }

    // ---- the peer's end and ours

    /** We have marked the peer failed (rule L14): it is told so, and nothing of it counts any more. */
    public void mark(long nowNs) {
        if (isMarked) {
            return;
        }
        isMarked = true;
        actions.discarded();
        if (dial != null) {
            endDial();
        }
        if (adopted != null) {
            C last = adopted;
            adopted = null;
            actions.sendYouFailed(last);
            halfClose(last, nowNs);
        }
        afterChange(nowNs);
    }

    /** The peer has said goodbye (rule L16): it is not dialed any more, and what it has not acknowledged is void. */
    public void depart(long nowNs) {
        if (isDeparted) {
            return;
        }
        isDeparted = true;
        flushAck();
        actions.discarded();
        if (dial != null && !helloWritten) {
            endDial();
        }
        afterChange(nowNs);
    }

    /** We go (rule L17): once everything is acknowledged, or the budget is spent, the connection is ended in order. */
    public void leave(long nowNs) {
        if (!isLeaving) {
            isLeaving = true;
            progressNs = nowNs;
            afterChange(nowNs);
        }
    }

    /** Whether a process that leaves has nothing left to do for this session. */
    public boolean hasLeft() {
        return isDone && adopted == null && lingering.isEmpty();
    }

    /** A leaver owes this peer nothing; its connections may still have to be read to their end. */
    public boolean isDone() {
        return isDone;
    }

    /** Whether nothing that is offered would ever be written. */
    public boolean isClosedToFrames() {
        return isOver() || isDone;
    }

    /** Everything that was offered has been acknowledged, or never will be. */
    public boolean isHandedOver() {
        return acked == offered || isClosedToFrames() || isBroken;
    }

    /** The peer may wait for frames of ours, or for our goodbye. */
    public boolean isOpen() {
        return (offered > 0 || generation > 0) && !isOver();
    }

    /** The connection that frames go to, or null. */
    public C adopted() {
        return adopted;
    }

    private boolean isOver() {
        return isMarked || isDeparted || isExcluded;
    }

    // ---- time

    public void onTick(long nowNs) {
        flushAckIfDue(nowNs);
        if (dial != null && nowNs - dialDeadlineNs >= 0) {
            endDial();
            dialPace.onSilence(nowNs);
        }
        for (C overdue = lingering.pollOverdue(nowNs); overdue != null; overdue = lingering.pollOverdue(nowNs)) {
            actions.close(overdue);
        }
        afterChange(nowNs);
    }

    /** When {@link #onTick} is needed; {@link Long#MAX_VALUE} if never. */
    public long nextDeadlineNs() {
        long deadline = Math.min(ackPace.dueNs(), lingering.deadlineNs());
        if (dial != null) {
            deadline = Math.min(deadline, dialDeadlineNs);
        } else if (wantsToDial()) {
            deadline = Math.min(deadline, dialPace.nextDialNs());
        }
        if (isBudgetRunning()) {
            deadline = Math.min(deadline, progressNs + timing.linkBudgetNs());
        }
        return deadline;
    }

    /** L13. Counted from the last progress, not from a HELLO: a path may pass one and swallow all that follows. */
    private boolean isBudgetRunning() {
        return offered > acked && !isOver() && !isBroken && (isLeaving ? !isDone : adopted == null);
    }

    private void afterChange(long nowNs) {
        if (isLost && adopted == null && dial == null && !isOver()) {
            breakOff();
        }
        if (isBudgetRunning() && nowNs - progressNs >= timing.linkBudgetNs()) {
            breakOff();
        }
        dialIfDue(nowNs);
        finishIfDone(nowNs);
    }

    private void breakOff() {
        if (!isBroken) {
            isBroken = true;
            actions.broken();
        }
    }

    private boolean wantsToDial() {
        return offered > acked && adopted == null && dial == null && !isLost && !isOver() && !isDone;
    }

    /** L2, for a first connection: at once on either side, as the numbers settle attempts that cross. */
    private void dialIfDue(long nowNs) {
        if (wantsToDial() && dialPace.mayDial(nowNs)) {
            helloWritten = false;
            dialDeadlineNs = nowNs + dialPace.answerNs();
            dial = actions.dial();
            if (dial == null) {
                dialPace.onFailed(nowNs);
            }
        }
    }

    private void endDial() {
        C ended = dial;
        dial = null;
        actions.close(ended);
    }

    private void finishIfDone(long nowNs) {
        if (isLeaving && isHandedOver()) {
            isDone = true;
        }
        if (!isDone) {
            return;
        }
        if (dial != null) {
            endDial();
        }
        if (adopted != null) {
            C last = adopted;
            flushAck();
            adopted = null;
            halfClose(last, nowNs);
        }
    }

    /** Sends an acknowledgement that is due; to be called after a batch of frames was dispatched. */
    public void flushAckIfDue(long nowNs) {
        if (ackPace.isOwed() && nowNs - ackPace.dueNs() >= 0) {
            flushAck();
        }
    }

    private void flushAck() {
        if (adopted != null && ackPace.isOwed()) {
            actions.sendAck(adopted, delivered);
        }
        ackPace.onSent();
    }

    private void halfClose(C connection, long nowNs) {
        actions.halfClose(connection);
        lingering.add(connection, nowNs + timing.linkRtoNs());
    }

    @Override
    public String toString() {
        return self + " to " + peer + ": connection " + generation + (adopted == null ? " none" : "")
                + (dial == null ? "" : helloWritten ? " asking" : " dialing") + ", offered " + offered + " written "
                + lastWritten + " acknowledged " + acked + " delivered " + delivered + (isBroken ? " broken" : "")
                + (isMarked ? " marked" : "") + (isDeparted ? " departed" : "") + (isDone ? " done" : "");
    }
}
