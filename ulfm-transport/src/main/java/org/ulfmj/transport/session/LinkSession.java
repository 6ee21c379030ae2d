package org.ulfmj.transport.session;

import org.ulfmj.protocol.Timing;

/**
 * The state of the link from one rank to one peer, and its decisions. The two ranks may open many connections, in
 * either direction and even at the same time, and both come to use the same one. The rank with the lower slot numbers
 * the connections, and only an attempt that knows the newest number is adopted. Frames are numbered per session, not
 * per connection, and delivered in order, whole and once.
 *
 * <p>Comments in the code name these rules:
 *
 * <ul>
 *   <li>L2, dialing: either rank dials when it has frames and no connection, or has lost its connection, also an idle
 *       one. The loss of a connection that is resumed is no news for the layers above.
 *   <li>L3 to L7, the numbers of connections: which of two crossing attempts is adopted.
 *   <li>L8 and L9, adoption and delivery; L10, acknowledgements.
 *   <li>L11, the timer: a connection that brings no acknowledgement of written frames is given up.
 *   <li>L13, the budget: how long a link goes without progress before its peer is reported lost. Dials go on.
 *   <li>L14, the mark; L15, incarnations; L16 and L17, the goodbye and the end; L18, refusals.
 * </ul>
 *
 * <p>The driver checks the proofs of a handshake (L1), and passes only a proven HELLO, answer or frame to the session.
 * A session holds only a few numbers (L19). Threads: one at a time, as for every protocol. The methods for frames do
 * not allocate.
 *
 * @param <C> a connection of the driver; compared by identity
 */
public final class LinkSession<C> {
    private final LinkIdentity self;
    private final LinkIdentity peer;
    /** Whether this rank has the lower slot of the two, and so numbers the connections. */
    private final boolean isLower;

    private final Timing timing;
    private final LinkActions<C> actions;
    private final DialPace dialPace;
    private final AckPace ackPace = new AckPace();
    private final AckTimer ackTimer;
    private final LinkBudget budget;
    private final Lingering<C> lingering = new Lingering<>();

    /** The number of frames that the driver has offered for the peer since the session began, written or not. */
    private long offered;

    private long next = 1;
    private long lastWritten;
    private long acked;
    private long delivered;
    private long generation;
    private long top;

    private C adopted;
    /**
     * Whether it is known that the peer has adopted the connection too: the peer has answered HELLO_OK, or has written
     * on the connection.
     */
    private boolean isConfirmed;
    /** Whether the adopted connection has brought a frame or an acknowledgement. */
    private boolean hasCarried;

    private C dial;
    /** Whether the operating system of the peer has established the dialed connection. */
    private boolean isReached;

    private boolean helloWritten;
    private long dialNumber;
    private long dialDeadlineNs;

    /** Whether a connection was lost (see {@link #lose}) and no other was adopted since. */
    private boolean isLost;

    /** Whether a lost connection is followed by another one ({@code ulfm.link.retry}). */
    private final boolean isResumed;

    private boolean isMarked;
    private boolean isDeparted;
    private boolean isExcluded;
    private boolean isLeaving;
    /** Whether this rank is leaving and has nothing more to send to this peer. */
    private boolean isDone;
    /**
     * The time from which the adopted connection is waiting for an acknowledgement: that of the last acknowledgement,
     * of the first frame after everything had been acknowledged, or of the adoption, whichever is latest.
     */
    private long waitsSinceNs;

    public LinkSession(LinkIdentity self, LinkIdentity peer, Timing timing, LinkActions<C> actions) {
        this(self, peer, timing, actions, true);
    }

    /**
     * @param isResumed whether this rank dials again after the loss of a connection; if not, the loss of one that the
     *     peer has certainly adopted is reported at once
     */
    public LinkSession(LinkIdentity self, LinkIdentity peer, Timing timing, LinkActions<C> actions, boolean isResumed) {
        if (self.id().slot() == peer.id().slot()) {
            throw new IllegalArgumentException("no session of " + self + " with " + peer + ", which has its own slot");
        }
        this.self = self;
        this.peer = peer;
        this.isLower = self.id().slot() < peer.id().slot();
        this.timing = timing;
        this.actions = actions;
        this.isResumed = isResumed;
        this.dialPace = new DialPace(timing);
        this.ackTimer = new AckTimer(timing);
        this.budget = new LinkBudget(timing);
    }

    // ---- frames to the peer

    /** The driver has one more frame for the peer. Not to be called once {@link #isClosedToFrames}. */
    public void onOffered(long nowNs) {
        if (offered == acked) {
            waitsSinceNs = nowNs;
            if (!isLost) {
                budget.restart(nowNs);
            }
        }
        offered++;
        if (adopted == null) {
            dialIfDue(nowNs);
        }
    }

    /**
     * Number of the frame to be written next. A number up to {@link #lastWritten} means that the frame was written
     * before, and is written again.
     */
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

    /**
     * The driver writes frame {@link #nextToWrite}. Returns the number up to which that frame acknowledges frames of
     * the peer.
     */
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

    /** Whether a frame of this number on that connection would be delivered now. */
    public boolean isNext(C connection, long sequence) {
        return connection == adopted && sequence == delivered + 1;
    }

    /**
     * A frame came. Returns whether the driver is to deliver the frame (rule L9). The connection may be closed after
     * this call.
     *
     * @param acknowledgeNow whether the sender asks to have the frame acknowledged at once
     */
    public boolean onData(C connection, long sequence, long ackUpTo, boolean acknowledgeNow, int bytes, long nowNs) {
        if (connection != adopted) {
            return false;
        }
        onAck(connection, ackUpTo, nowNs);
        if (connection != adopted) {
            return false; // the acknowledgement let this rank leave, or was wrong
        }
        if (sequence == delivered + 1) {
            delivered++;
            ackPace.onDelivered(bytes, acknowledgeNow, nowNs);
            return true;
        }
        if (sequence <= delivered) {
            ackPace.onRepeated(nowNs);
        } else {
            actions.distrusted(connection, "frame " + sequence + " after frame " + delivered);
            onEnd(connection, nowNs);
        }
        return false;
    }

    /** The peer has delivered the frames of this rank up to {@code ackUpTo}. */
    public void onAck(C connection, long ackUpTo, long nowNs) {
        if (connection != adopted) {
            return;
        }
        if (!isWritten(connection, ackUpTo)) {
            onEnd(connection, nowNs);
            return;
        }
        if (!hasCarried) {
            hasCarried = true;
            isConfirmed = true;
            dialPace.onCarried();
        }
        if (ackUpTo > acked) {
            ackTimer.onAnswer(nowNs - waitsSinceNs);
        }
        onPeerDelivered(ackUpTo, nowNs);
        if (isLeaving) {
            finishIfDone(nowNs);
        }
    }

    /** L8: whether the peer can have delivered this frame. If not, the connection cannot be trusted. */
    private boolean isWritten(C connection, long upTo) {
        if (upTo > lastWritten) {
            actions.distrusted(connection, "an acknowledgement of frame " + upTo + " of " + lastWritten + " written");
        }
        return upTo <= lastWritten;
    }

    private void onPeerDelivered(long upTo, long nowNs) {
        if (upTo > acked) {
            acked = upTo;
            waitsSinceNs = nowNs;
            budget.restart(nowNs);
            reached();
            if (!isOver()) {
                actions.acknowledged(acked);
            }
        }
    }

    private void reached() {
        if (budget.takeBack()) {
            actions.restored();
        }
    }

    // ---- connections

    /**
     * The operating system of the dialed peer has established the connection; the answer of the peer itself comes next.
     */
    public void onReached(C connection, long nowNs) {
        if (connection == dial && !isReached) {
            isReached = true;
            dialPace.onReached();
            dialDeadlineNs = nowNs + dialPace.answerNs();
        }
    }

    /** The dialed peer has sent its challenge. */
    public void onChallenge(C connection, long nowNs) {
        if (connection != dial || helloWritten) {
            onEnd(connection, nowNs);
        } else if (adopted != null) {
            // L7: no HELLO was written, so the peer cannot have adopted this attempt, and the attempt must not displace
            // the adopted connection.
            endDial();
        } else {
            helloWritten = true;
            dialNumber = isLower ? ++top : generation; // L3
            dialDeadlineNs = nowNs + dialPace.answerNs();
            actions.sendHello(dial, new LinkHello(self, peer, dialNumber, delivered));
        }
    }

    /** The dialed peer has adopted the connection (rule L6). */
    public void onOk(C connection, LinkOk ok, long nowNs) {
        if (connection != dial || !helloWritten) {
            onEnd(connection, nowNs);
            return;
        }
        if (isOver() || (!isLower && ok.generation() <= generation)) {
            endDial();
        } else if (!isWritten(connection, ok.lastDelivered())) {
            onEnd(connection, nowNs);
            return;
        } else {
            dial = null;
            generation = isLower ? dialNumber : ok.generation();
            adopt(connection, ok.lastDelivered(), nowNs);
            isConfirmed = true;
        }
        afterChange(nowNs);
    }

    /** The dialed peer has refused the connection. */
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
            onNotMe(notMe.me());
        }
        afterChange(nowNs);
    }

    /**
     * The acceptor has refused: it is not the process that this rank wanted, or it knows another process by the name of
     * this rank.
     */
    private void onNotMe(LinkIdentity other) {
        if (other.nonce() == peer.nonce() && !other.id().equals(peer.id())) {
            actions.renamed(other);
        } else {
            onOtherIdentity(other);
        }
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

    /**
     * A dialer has proved that it belongs to the job, and its HELLO says which process it is. The dialer has the slot
     * of this session's peer.
     */
    public void onHello(C connection, LinkHello hello, long nowNs) {
        int incarnation = hello.from().id().incarnation();
        if (incarnation > peer.id().incarnation()) {
            // L15. The later process is not answered: it dials again, and finds a new session once this peer is marked.
            // A leaving rank that is done (L17) does not report the later process either, because it would open a
            // session only to end it.
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
        } else if (isExcluded || !isWritten(connection, hello.lastDelivered())) {
            actions.close(connection);
        } else if (isLower ? hello.generation() >= generation : hello.generation() > generation) {
            accept(connection, hello, nowNs);
        } else {
            refuse(connection, new LinkRefusal.Stale(generation), nowNs);
        }
        afterChange(nowNs);
    }

    /** Accepts the connection of a dialer: by rule L4 at the higher slot, by L5 at the lower one. */
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
    }

    private void refuse(C connection, LinkRefusal refusal, long nowNs) {
        actions.sendRefusal(connection, refusal);
        halfClose(connection, nowNs); // L18
    }

    /**
     * L8: adopts a connection. The frames that the peer has not delivered are written on it, also those that were
     * written before.
     */
    private void adopt(C connection, long lastDelivered, long nowNs) {
        if (adopted != null) {
            actions.close(adopted);
        }
        adopted = connection;
        isConfirmed = false;
        hasCarried = false;
        onPeerDelivered(lastDelivered, nowNs);
        next = acked + 1;
        waitsSinceNs = nowNs;
        isLost = false;
        if (offered == acked) {
            reached();
        }
        actions.adopted(connection);
    }

    /** The connection ended: by end of file, reset or refusal, or because it cannot be trusted. */
    public void onEnd(C connection, long nowNs) {
        actions.close(connection);
        if (connection == adopted) {
            lose(nowNs);
        } else if (connection == dial) {
            dial = null;
            if (helloWritten) {
                dialPace.onCutOff(nowNs);
            } else {
                dialPace.onFailed(nowNs);
            }
        } else {
            lingering.remove(connection);
        }
        afterChange(nowNs);
    }

    private void lose(long nowNs) {
        adopted = null;
        // Without resumption, only a connection that the peer has certainly adopted counts as lost: another one may be
        // one of two attempts that crossed. Frames that wait then lead to another dial, as before the first connection.
        isLost = isResumed || isConfirmed;
        if (isLost && offered == acked) {
            budget.restart(nowNs);
        }
        if (hasCarried) {
            dialPace.onLost(isLower, nowNs);
        } else {
            dialPace.onCutOff(nowNs);
        }
        if (isLost && !isResumed && !isOver()) {
            reportLost();
        }
    }

    /** The peer has marked this rank failed. This is certain, because the message came on a proven connection. */
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

    // ---- the end of the peer, and of this rank

    /**
     * This rank has marked the peer failed (rule L14). The peer is told so, on an open connection or when it dials, and
     * its frames are not delivered any more.
     */
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

    /**
     * The peer has said goodbye (rule L16). The peer is not dialed any more, and frames that it has not acknowledged
     * are thrown away.
     */
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

    /**
     * This rank leaves (rule L17). The connection is half-closed once every frame is acknowledged or the budget is
     * spent.
     */
    public void leave(long nowNs) {
        if (!isLeaving) {
            isLeaving = true;
            budget.restart(nowNs);
            afterChange(nowNs);
        }
    }

    /** Whether this rank leaves and has nothing left to do for this session. */
    public boolean hasLeft() {
        return isDone && adopted == null && lingering.isEmpty();
    }

    /**
     * Whether this rank leaves and has nothing more to send to this peer. Connections may still have to be read to
     * their end.
     */
    public boolean isDone() {
        return isDone;
    }

    /**
     * Whether a frame that is offered now would never be written, because the session has ended or this rank has
     * finished sending.
     */
    public boolean isClosedToFrames() {
        return isOver() || isDone;
    }

    /**
     * Whether this rank need not wait for any acknowledgement (rule F5): every offered frame is acknowledged, the
     * remaining ones never will be, or the peer is reported lost. The loss of a connection that is resumed changes
     * nothing.
     */
    public boolean isHandedOver() {
        return acked == offered || isClosedToFrames() || budget.isSpent();
    }

    /** Whether the peer may expect more frames or a goodbye of this rank. */
    public boolean isOpen() {
        return (offered > 0 || generation > 0) && !isOver();
    }

    /** The connection that frames are written to; null if there is none. */
    public C adopted() {
        return adopted;
    }

    /** Whether a connection was lost and is to be followed by another one. */
    public boolean isRecovering() {
        return isLost && isResumed && !isOver() && !isDone;
    }

    private boolean isOver() {
        return isMarked || isDeparted || isExcluded;
    }

    // ---- time

    public void onTick(long nowNs) {
        flushAckIfDue(nowNs);
        if (dial != null && nowNs - dialDeadlineNs >= 0) {
            endDial();
            if (isReached) {
                dialPace.onSilence(nowNs);
            } else {
                dialPace.onUnreached(nowNs);
            }
        }
        if (isTimerDue(nowNs)) {
            ackTimer.onExpired();
            actions.close(adopted);
            lose(nowNs);
        }
        for (C overdue = lingering.pollOverdue(nowNs); overdue != null; overdue = lingering.pollOverdue(nowNs)) {
            actions.close(overdue);
        }
        afterChange(nowNs);
    }

    /** The time at which {@link #onTick} is needed; {@link Long#MAX_VALUE} if there is none. */
    public long nextDeadlineNs() {
        long deadline = Math.min(ackPace.dueNs(), lingering.deadlineNs());
        if (dial != null) {
            deadline = Math.min(deadline, dialDeadlineNs);
        } else if (wantsToDial()) {
            deadline = Math.min(deadline, dialPace.nextDialNs());
        }
        if (isTimerRunning()) {
            deadline = Math.min(deadline, waitsSinceNs + ackTimer.waitNs());
        }
        if (isBudgetRunning()) {
            deadline = Math.min(deadline, budget.endNs());
        }
        return deadline;
    }

    /**
     * L11: whether written frames have waited too long for an acknowledgement. The driver first reads what has arrived,
     * because an acknowledgement may be in it; then {@link #onTick} gives the connection up if there was none.
     */
    public boolean isTimerDue(long nowNs) {
        return isTimerRunning() && nowNs - waitsSinceNs >= ackTimer.waitNs();
    }

    private boolean isTimerRunning() {
        return isResumed && adopted != null && next > acked + 1 && !isOver();
    }

    private boolean isBudgetRunning() {
        boolean isWaiting = offered > acked || isLost;
        return isWaiting && !isOver() && !isDone && !budget.isSpent();
    }

    private void afterChange(long nowNs) {
        if (isBudgetRunning() && budget.isOver(nowNs)) {
            reportLost();
        }
        dialIfDue(nowNs);
        finishIfDone(nowNs);
    }

    private void reportLost() {
        if (budget.spend()) {
            actions.lost();
        }
    }

    /**
     * Whether this rank needs a connection, has none, and dials as soon as the pause before the next dial has ended.
     */
    public boolean wantsToDial() {
        boolean isNeeded = isLost ? isResumed : offered > acked;
        return isNeeded && adopted == null && dial == null && !isOver() && !isDone;
    }

    /** L2: either rank dials, because the numbers decide between attempts that cross. */
    private void dialIfDue(long nowNs) {
        if (wantsToDial() && dialPace.mayDial(nowNs)) {
            helloWritten = false;
            dial = actions.dial();
            isReached = dial == null || actions.isReached(dial);
            dialDeadlineNs = nowNs + (isReached ? dialPace.answerNs() : dialPace.beginConnect(nowNs));
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

    /** Sends an acknowledgement if one is due. To be called after a batch of frames was dispatched. */
    public void flushAckIfDue(long nowNs) {
        if (ackPace.isOwed() && nowNs - ackPace.dueNs() >= 0) {
            flushAck();
        }
    }

    /** Whether an acknowledgement is due, or will be. */
    public boolean owesAck() {
        return ackPace.isOwed();
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
                + lastWritten + " acknowledged " + acked + " delivered " + delivered + (budget.isSpent() ? " lost" : "")
                + (isMarked ? " marked" : "") + (isDeparted ? " departed" : "") + (isDone ? " done" : "");
    }
}
