package org.ulfmj.rendezvous.client;

import java.io.IOException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotSet;
import org.ulfmj.rendezvous.lease.HeldLease;
import org.ulfmj.rendezvous.message.OutReason;
import org.ulfmj.rendezvous.message.RendezvousCodec;
import org.ulfmj.rendezvous.message.RendezvousMessage;
import org.ulfmj.rendezvous.rounds.Joiner;
import org.ulfmj.rendezvous.store.StoreLimits;
import org.ulfmj.rendezvous.store.StoreReply;
import org.ulfmj.rendezvous.store.StoreRequest;
import org.ulfmj.transport.MemberRecord;

/**
 * A rank's connection to its launcher: {@link #join} waits until the world runs or, if the world runs already, until
 * this process is known to wait to be admitted. Afterwards only {@link #fenceIfLeaseIsOver} may wait, as may
 * {@link #poll}, which calls it. The thread that polls the rank's sockets calls {@link #poll} when {@link #channel} can
 * be read, or when {@link #nextDeadlineNs} has come.
 *
 * <p>A connection that breaks is dialed again for the time of the link budget, and requests that were not answered are
 * sent again on the new connection. Once the budget is spent the launcher counts as lost. In a job with leases (V15)
 * the lease takes the place of the budget: past it this process ends itself or, if its lease does not bind it, takes
 * the launcher for lost. Where coordinators change ({@link Whereabouts}) no link budget ends the dialing once
 * {@link #join} has returned, because another coordinator takes the office.
 *
 * <p>Not thread-safe.
 */
public final class RendezvousClient implements AutoCloseable {
    private static final long PAUSE_NS = 1_000_000;

    private final JoinRequest request;
    private final JoinSession session;
    private final boolean hasLease;
    private final ControlLine line;

    /** Whether this process has polled within its lease since it joined, or since {@link #beginAnew}. */
    private boolean hasBegun;

    private boolean lost;
    /** Whether this thread was interrupted while it waited for the world. */
    private boolean wasInterrupted;

    private RendezvousClient(JoinRequest request, Joiner joiner) {
        this.request = request;
        this.hasLease = request.lease() != null;
        HeldLease lease = hasLease ? new HeldLease(request.lease()) : null;
        this.session = joiner == null ? new JoinSession(request.me(), lease) : JoinSession.withoutSlot(joiner, lease);
        this.line = new ControlLine(request, session);
    }

    /**
     * Joins, and waits until all have joined and confirmed or, if the world runs already, until this process is known
     * to wait to be admitted ({@link #isPending}). An interrupt does not end the wait.
     *
     * @throws RendezvousException if this process cannot become part of the world, with the reason
     */
    public static RendezvousClient join(JoinRequest request) {
        return join(request, null);
    }

    /**
     * As {@link #join(JoinRequest)}, without a slot: {@link #me} has the slot once this process runs, or has been
     * admitted. V9: once the process has joined it waits until the launcher says that its wait has ended; only the loss
     * of the launcher or the end of the job ends the wait earlier.
     *
     * @param hostOrder place of the host of this process in the list of hosts
     * @param localIndex number of this process on its host
     * @throws RendezvousException if this process cannot become part of the world, with the reason
     */
    public static RendezvousClient joinWithoutSlot(JoinRequest request, int hostOrder, int localIndex) {
        MemberRecord nameless = request.me().named(Joiner.NAMELESS);
        return join(request, new Joiner(hostOrder, localIndex, nameless));
    }

    /** @param joiner this process as it joins without a slot; null for a process with a slot */
    private static RendezvousClient join(JoinRequest request, Joiner joiner) {
        RendezvousClient client = new RendezvousClient(request, joiner);
        // With the flag of an interrupt set, every select would return at once.
        boolean interrupted = Thread.interrupted();
        try {
            client.waitForWorld();
            return client;
        } catch (RendezvousException | IOException e) {
            client.close();
            throw e instanceof RendezvousException refusal
                    ? refusal
                    : new RendezvousException(OutReason.REFUSED, "no selector for MPI.Init: " + e.getMessage());
        } finally {
            if (interrupted || client.wasInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * Waits, as a process without a slot, for a place in the job. The process then joins with the same nonce. The wait
     * lasts as long as the job, unless the launcher is lost. An interrupt does not end it.
     *
     * @return slot and incarnation
     * @throws RendezvousException if no place will come: {@link OutReason#CLOSED} once the job is over, which is no
     *     failure; another reason if the spare is refused or cannot reach the launcher
     */
    public static ProcessId awaitAssignment(SpareRequest request) {
        return new SpareWait(request).await();
    }

    private void waitForWorld() throws IOException {
        long deadlineNs = System.nanoTime() + request.patienceNs();
        line.begin(System.nanoTime());
        ClientListener unheard = new IgnoredNews(); // The world does not run yet.
        Selector selector = Selector.open();
        try {
            while (!session.isSettled()) {
                long nowNs = System.nanoTime();
                line.step(nowNs, unheard);
                keepAlive(nowNs);
                if (session.state() == JoinSession.State.OUT) {
                    throw new RendezvousException(
                            session.out().reason(), session.out().text());
                }
                if (session.fencedBecause() != null) {
                    throw RendezvousException.fence(session.fencedBecause());
                }
                if (!session.isSettled() && isJobOver()) {
                    throw new RendezvousException(
                            OutReason.CLOSED, "the job is over: its coordinator has deleted what was kept of it");
                }
                // Checked after the step: the answer may have come while this thread waited for a core and its time ran
                // out.
                if (!session.isSettled() && isPatienceOver(deadlineNs, nowNs)) {
                    throw new RendezvousException(OutReason.TIMEOUT, noAnswer());
                }
                if (!session.isSettled()) {
                    sleep(selector, isLauncherToSay() ? nextDeadlineNs() : Math.min(deadlineNs, nextDeadlineNs()));
                }
            }
        } finally {
            selector.close();
        }
    }

    private boolean isJobOver() {
        return request.whereabouts() != null && request.whereabouts().isOver();
    }

    private boolean isPatienceOver(long deadlineNs, long nowNs) {
        return nowNs - deadlineNs >= 0 && (!isLauncherToSay() || line.isBudgetOver(nowNs));
    }

    /**
     * V9: whether only the launcher decides when the wait ends. How long a process without a slot is kept depends on
     * the others that join, and the launcher knows those.
     */
    private boolean isLauncherToSay() {
        return line.hasJoined() && session.isWithoutSlot();
    }

    /** The record of this process, with the name that it has now. */
    public MemberRecord me() {
        return session.me();
    }

    private String noAnswer() {
        return "no answer from the launcher at " + request.rendezvous() + " within " + request.patienceNs() / 1_000_000
                + " ms" + (line.lastFailure().isEmpty() ? "" : "; the last attempt ended with: " + line.lastFailure());
    }

    private void sleep(Selector selector, long untilNs) throws IOException {
        SelectableChannel channel = channel();
        if (channel != null && channel.isOpen()) {
            channel.register(selector, operations());
        }
        selector.select(waitMs(untilNs, System.nanoTime()));
        selector.selectedKeys().clear();
        wasInterrupted |= Thread.interrupted();
    }

    /** How many milliseconds to wait for input, as an argument of {@code Selector.select}, where 0 is for ever. */
    static long waitMs(long untilNs, long nowNs) {
        return untilNs == Long.MAX_VALUE ? 0 : Math.max(1, (untilNs - nowNs) / 1_000_000);
    }

    /** Sets the times in which nothing passes between this process and its launcher: a fault for tests. */
    public void cut(List<LineCut> cuts) {
        line.cut(cuts);
    }

    /** V15: whether this process has a lease, which ends when the launcher does not answer for long. */
    public boolean hasLease() {
        return hasLease;
    }

    /** Whether this process is no member of the world that runs, but waits to be admitted to it. */
    public boolean isPending() {
        return session.state() == JoinSession.State.PENDING;
    }

    /**
     * Whether a pending process may now believe a member that it is admitted. While it may not, it keeps the member's
     * message for later: it has told the launcher that it does not run, and a new world may be gathered with it.
     */
    public boolean mayBeAdmitted() {
        return session.mayBeAdmitted();
    }

    /** As {@link JoinSession#round}. */
    public int round() {
        return session.round();
    }

    /** As {@link JoinSession#named}. */
    public void named() {
        session.named();
    }

    /**
     * V15: lets this process be slow from now on, as it loads its classes. If a lease that binds it has ended when it
     * polls next, it waits for an answer of the launcher before it acts, as a process that has just joined does.
     */
    public void beginAnew() {
        hasBegun = false;
    }

    /**
     * The members of the world in slot order; those that have ended are among them. Without this process while it
     * {@link #isPending}.
     */
    public List<MemberRecord> table() {
        return session.table();
    }

    /**
     * Tells the launcher that this process has entered a later epoch, as a member that admitted others or as a newcomer
     * that was admitted; from then on it is told what members are told. Sent again on every new connection.
     *
     * @param members in slot order, this process among them
     * @param digest a value that is equal at all processes that hold this very world
     * @throws IllegalStateException if this process neither runs nor {@link #mayBeAdmitted}
     */
    public void committed(int epoch, List<MemberRecord> members, long digest) {
        session.committed(epoch, members, digest, line);
    }

    /**
     * The channel that is to be watched for {@link #operations}; null while there is no connection. Another connection
     * has another channel.
     */
    public SelectableChannel channel() {
        return line.channel();
    }

    /** The operations that {@link #channel} is to be watched for now: bits of {@link SelectionKey}. */
    public int operations() {
        return line.operations();
    }

    /** When {@link #poll} is needed even without input; {@link Long#MAX_VALUE} if never. */
    public long nextDeadlineNs() {
        if (lost) {
            return Long.MAX_VALUE;
        }
        return hasLease
                ? Math.min(line.nextDeadlineNs(), session.nextLeaseDeadlineNs(line.isUp()))
                : line.nextDeadlineNs();
    }

    /**
     * Reads the messages that have arrived and tells the listener, writes as much as the channel takes, and dials again
     * where needed. Waits only as {@link #fenceIfLeaseIsOver} does.
     */
    public void poll(long nowNs, ClientListener listener) {
        if (lost || fenceIfLeaseIsOver(nowNs, listener) || lost) {
            return;
        }
        hasBegun = true;
        stepOrLose(nowNs, listener);
        if (lost) {
            return;
        }
        keepAlive(nowNs);
        if (!hasLease && request.whereabouts() == null && line.isBudgetOver(nowNs)) {
            lose(
                    "no connection to the launcher at " + request.rendezvous() + " for "
                            + request.budgetNs() / 1_000_000 + " ms (" + line.lastFailure() + ")",
                    listener);
        }
    }

    private void stepOrLose(long nowNs, ClientListener listener) {
        try {
            line.step(nowNs, listener);
        } catch (RendezvousException refusal) {
            lose(refusal.getMessage(), listener);
        }
    }

    private void keepAlive(long nowNs) {
        if (line.isUp()) {
            session.keepAlive(nowNs, line);
        }
    }

    /**
     * V15: if a lease that binds this process has ended, tells the listener to end the process, because the others may
     * go on without it; a process that is slow to begin ({@link #beginAnew}) first waits here for an answer of the
     * launcher. To be called before any other step, as this process may have stood still.
     *
     * @return whether this process must take no other step before its listener has acted on what it was told just now:
     *     that the lease has ended, that the launcher is lost, or that this process is to end
     */
    public boolean fenceIfLeaseIsOver(long nowNs, ClientListener listener) {
        if (lost || !session.isLeaseOver(nowNs)) {
            return false;
        }
        if (!request.lease().isBinding()) {
            loseIfBegun(nowNs, listener);
            return false;
        }
        if (hasBegun) {
            fence(listener);
        } else {
            holdBack(nowNs, listener);
        }
        return lost || session.isToEnd();
    }

    /**
     * Gives up the launcher, which has not answered for the time of the lease. If this process was slow to begin, and
     * so has not asked for long, it begins the lease anew instead.
     */
    private void loseIfBegun(long nowNs, ClientListener listener) {
        if (hasBegun) {
            lose(noAnswerInTime(), listener);
        } else {
            session.beginLeaseAnew(nowNs, line);
        }
    }

    private void fence(ClientListener listener) {
        lost = true;
        close();
        session.loseStore(leaseOver());
        listener.onLeaseOver(leaseOver());
    }

    /**
     * V15: holds back a process that is slow to begin, as it loads its classes, until the launcher has answered: the
     * launcher answers nothing to a process that it has given up. This waits for that answer, for the message that this
     * process is to end, for the end of the lease, or for the loss of the launcher. The listener is told all that comes
     * meanwhile.
     */
    private void holdBack(long nowNs, ClientListener listener) {
        // With the flag of an interrupt set, no pause would take any time.
        boolean interrupted = Thread.interrupted();
        session.beginLeaseAnew(nowNs, line);
        long beganNs = System.nanoTime();
        while (!lost && session.isHeldBack()) {
            long atNs = nowNs + (System.nanoTime() - beganNs);
            if (session.isLeaseOver(atNs)) {
                fence(listener);
            } else {
                stepOrLose(atNs, listener);
                keepAlive(atNs);
                LockSupport.parkNanos(PAUSE_NS);
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private String leaseOver() {
        return noAnswerInTime() + ", and may take this process for dead"
                + (line.lastFailure().isEmpty() ? "" : " (" + line.lastFailure() + ")");
    }

    private String noAnswerInTime() {
        return "mpiexec at " + request.rendezvous() + " has not answered for "
                + request.lease().leaseNs() / 1_000_000 + " ms (ulfm.rdzv.lease)";
    }

    private void lose(String reason, ClientListener listener) {
        lost = true;
        close();
        session.loseStore(reason);
        listener.onLauncherLost(reason);
    }

    /** Tells the launcher that Finalize is decided. */
    public void goodbye(SlotSet heldForFailed) {
        session.goodbye(heldForFailed, line);
    }

    /**
     * Whether the launcher has heard this process's goodbye, so that the end of the process counts as a departure,
     * however it ends; true also if the launcher is lost and cannot be told any more.
     */
    public boolean isGoodbyeHeard() {
        return lost || session.isGoodbyeHeard();
    }

    /** Tells the launcher that this process takes part in nothing any more and is about to end. */
    public void leave(String why) {
        session.leave(why, line);
    }

    /**
     * Whether the launcher has heard that this process leaves; true also if the launcher is lost and cannot be told any
     * more.
     */
    public boolean isLeaveHeard() {
        return lost || session.isLeaveHeard();
    }

    /** Tells the launcher that this process stands at the point of an injection rule. */
    public void reached(int rule) {
        session.reached(rule, line);
    }

    /**
     * J1: complains to the launcher that nothing is heard of a process that counts as live, or that the link to it is
     * lost. The complaint is sent again on every new connection until {@link #heard} withdraws it, or until the
     * launcher says that the process has ended or counts as failed.
     */
    public void suspect(ProcessId process) {
        session.suspect(process, line);
    }

    /**
     * J1: withdraws the complaint of {@link #suspect}. Has no effect on a process of which this one has not complained.
     */
    public void heard(ProcessId process) {
        session.heard(process, line);
    }

    /**
     * Answers {@link ClientListener#onAreYouThere}. Without a connection the answer is lost, and the launcher asks
     * again.
     */
    public void here(long question) {
        line.accept(new RendezvousMessage.Here(question));
    }

    /**
     * Answers {@link ClientListener#onDoYouHear}. Without a connection the answer is lost, and the launcher asks again.
     */
    public void stillNothing(long question, ProcessId process) {
        line.accept(new RendezvousMessage.StillNothing(question, process));
    }

    /** Answers {@link ClientListener#onWaitsAsked}. Without a connection the answer is lost. */
    public void tellWaits(long request, byte[] report) {
        line.accept(new RendezvousMessage.Waits(request, report));
    }

    /** Tells the launcher, unasked, that this process has not called MPI for long. May be lost. */
    public void tellSilence() {
        line.accept(new RendezvousMessage.Waits(RendezvousMessage.Waits.UNASKED, new byte[0]));
    }

    /** Asks the launcher to end the job. */
    public void abort(int code, String reason) {
        session.abort(code, reason, line);
    }

    /**
     * Sends a request to the store of the job. The request is carried out at most once, and is sent again on each new
     * connection until it is answered. Returns null and sends nothing if {@link StoreLimits#MAX_UNANSWERED} requests
     * are unanswered, or too many of a kind that may wait at the store: the caller asks again later. Once the store is
     * lost nothing is sent, and the reply says so.
     */
    public StoreReply ask(StoreRequest storeRequest) {
        return session.ask(storeRequest, line);
    }

    /** Whether {@link #ask} may send this request now: few enough requests are unanswered. */
    public boolean hasRoomToAsk(StoreRequest request) {
        return session.hasRoomToAsk(request);
    }

    /** Asks the store to answer a request now, though what the request waits for has not come. */
    public void withdraw(StoreReply reply) {
        session.withdraw(reply, line);
    }

    /** Whether every message to the launcher has left this process; true also once the launcher is lost. */
    public boolean isFlushed() {
        return lost || line.isFlushed();
    }

    /** Closes the connection. The launcher does not take that for a goodbye. */
    @Override
    public void close() {
        line.close();
    }

    /**
     * Reads the news of a rehearsed death, without effect. The first news of a death that a rank reads needs code and
     * classes that were never used before, which would cost all survivors time at once. May be called by any thread.
     *
     * @throws IllegalStateException if the listener was not told of the rehearsed death
     */
    public static void rehearseDeath() {
        RehearsedDeath told = new RehearsedDeath();
        byte[] news = RendezvousCodec.encode(new RendezvousMessage.Death(ProcessId.of(0), "rehearsed"));
        new JoinSession(null).onMessage(RendezvousCodec.decode(news), null, told);
        if (!told.isHeard) {
            throw new IllegalStateException("the news of a death was read as other news");
        }
    }

    private static final class RehearsedDeath extends IgnoredNews {
        private boolean isHeard;

        @Override
        public void onDeath(ProcessId process, String reason) {
            isHeard = true;
        }
    }
}
