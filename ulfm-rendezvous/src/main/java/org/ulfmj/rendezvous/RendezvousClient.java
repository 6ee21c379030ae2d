package org.ulfmj.rendezvous;

import java.io.IOException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.List;
import java.util.function.Consumer;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotSet;
import org.ulfmj.rendezvous.rounds.Joiner;
import org.ulfmj.rendezvous.store.StoreLimits;
import org.ulfmj.rendezvous.store.StoreReply;
import org.ulfmj.rendezvous.store.StoreRequest;
import org.ulfmj.transport.MemberRecord;

/**
 * A rank's connection to its launcher: {@link #join} waits until the world runs, or until this process is known to wait
 * for one that does; afterwards no call waits. The thread that polls the rank's sockets calls {@link #poll} when
 * {@link #channel} can be read, or when {@link #nextDeadlineNs} has come.
 *
 * <p>A connection that breaks is dialed again for the link budget, and requests that were not answered are sent again
 * on the new connection. Once the budget is over the launcher counts as lost.
 *
 * <p>Not thread-safe: the caller's lock guards it.
 */
public final class RendezvousClient implements AutoCloseable {
    private static final long FIRST_BACKOFF_NS = 10_000_000;
    private static final long LONGEST_BACKOFF_NS = 250_000_000;

    private final JoinRequest request;
    private final JoinSession session;
    private Caller caller;
    private final Sender sender = new Sender();
    private ClientConnection connection;

    /** When to dial again; meaningful while there is no connection. */
    private long dialNs;

    private long backoffNs = FIRST_BACKOFF_NS;

    /** When the connection broke: no connection was accepted since. Meaningful while {@code broken}. */
    private long brokenSinceNs;

    private boolean broken;

    /** Whether this process has said on an accepted connection that it joins. */
    private boolean hasJoined;

    private boolean lost;
    private String lastFailure = "";

    private RendezvousClient(JoinRequest request, JoinSession session) {
        this.request = request;
        this.caller = request.caller();
        this.session = session;
    }

    /**
     * Joins, and waits until all have joined and confirmed, or, where the world runs already, until this process is
     * known to wait for it ({@link #isPending}). An interrupt does not end the wait; the flag is kept.
     *
     * @throws RendezvousException if this process cannot become part of the world, with the reason
     */
    public static RendezvousClient join(JoinRequest request) {
        return join(request, new JoinSession(request.me()));
    }

    /**
     * As {@link #join(JoinRequest)}, without a slot: {@link #me} has the slot once this process runs, or has been
     * admitted. V9: once the process has joined it waits until the launcher says that its wait is over; only the loss
     * of the launcher ends the wait before.
     *
     * @param hostOrder place of the host of this process in the list of hosts
     * @param localIndex number of this process on its host
     * @throws RendezvousException if this process cannot become part of the world, with the reason
     */
    public static RendezvousClient joinWithoutSlot(JoinRequest request, int hostOrder, int localIndex) {
        MemberRecord nameless = request.me().named(Joiner.NAMELESS);
        return join(request, JoinSession.withoutSlot(new Joiner(hostOrder, localIndex, nameless)));
    }

    private static RendezvousClient join(JoinRequest request, JoinSession session) {
        RendezvousClient client = new RendezvousClient(request, session);
        // With the flag set, every select would return at once.
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
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * Waits, as a process without a slot, for a place in the job. The process then joins with the same nonce. The wait
     * lasts as long as the job, and an interrupt does not end it; the flag is kept.
     *
     * @return slot and incarnation
     * @throws RendezvousException if no place will come: {@link OutReason#CLOSED} once the job is over, which is no
     *     failure
     */
    public static ProcessId awaitAssignment(SpareRequest request) {
        return new SpareWait(request).await();
    }

    private void waitForWorld() throws IOException {
        long deadlineNs = System.nanoTime() + request.patienceNs();
        dialNs = System.nanoTime();
        ClientListener unheard = new IgnoreAll();
        Selector selector = Selector.open();
        try {
            while (!session.isSettled()) {
                long nowNs = System.nanoTime();
                step(nowNs, unheard);
                if (session.state() == JoinSession.State.OUT) {
                    throw new RendezvousException(
                            session.out().reason(), session.out().text());
                }
                // After the step: the answer may have come while this thread waited for a core until its time was over.
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

    private boolean isPatienceOver(long deadlineNs, long nowNs) {
        return nowNs - deadlineNs >= 0 && (!isLauncherToSay() || isBudgetOver(nowNs));
    }

    /**
     * V9: whether the launcher alone says when the wait is over. How long a process without a slot is kept depends on
     * the others that join, and the launcher knows those.
     */
    private boolean isLauncherToSay() {
        return hasJoined && session.isWithoutSlot();
    }

    /** This process, by the name that it has now. */
    public MemberRecord me() {
        return session.me();
    }

    private String noAnswer() {
        return "no answer from the launcher at " + request.rendezvous() + " within " + request.patienceNs() / 1_000_000
                + " ms" + (lastFailure.isEmpty() ? "" : "; the last attempt ended with: " + lastFailure);
    }

    private void sleep(Selector selector, long untilNs) throws IOException {
        if (connection != null && connection.channel().isOpen()) {
            connection.channel().register(selector, connection.operations());
        }
        selector.select(waitMs(untilNs, System.nanoTime()));
        selector.selectedKeys().clear();
        Thread.interrupted();
    }

    /** How many milliseconds to wait for input, as a selector takes them: 0 is for ever. */
    static long waitMs(long untilNs, long nowNs) {
        return untilNs == Long.MAX_VALUE ? 0 : Math.max(1, (untilNs - nowNs) / 1_000_000);
    }

    /** Whether this process is no member of the world that runs, but waits to be admitted to it. */
    public boolean isPending() {
        return session.state() == JoinSession.State.PENDING;
    }

    /**
     * Whether a pending process may now take the word of a member that it is admitted. While it may not, it keeps that
     * word for later: it has told the launcher that it does not run, and a new world may be gathered with it.
     */
    public boolean mayBeAdmitted() {
        return session.mayBeAdmitted();
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
     * that was admitted; from then on it is told what members are told. Said again on every new connection.
     *
     * @param members in slot order, this process among them
     * @param digest equal at all processes that hold this very world
     * @throws IllegalStateException if this process is pending and {@link #mayBeAdmitted} forbids it
     */
    public void committed(int epoch, List<MemberRecord> members, long digest) {
        session.committed(epoch, members, digest, sender);
    }

    /**
     * The channel that is to be watched for {@link #operations}; null while there is no connection. A reconnection
     * makes another one.
     */
    public SelectableChannel channel() {
        return connection == null ? null : connection.channel();
    }

    /** The operations that {@link #channel} is to be watched for now: bits of {@link SelectionKey}. */
    public int operations() {
        return connection == null ? 0 : connection.operations();
    }

    /** When {@link #poll} is needed even without input; {@link Long#MAX_VALUE} if never. */
    public long nextDeadlineNs() {
        if (lost) {
            return Long.MAX_VALUE;
        }
        if (connection == null) {
            return dialNs;
        }
        return broken ? brokenSinceNs + request.budgetNs() : Long.MAX_VALUE;
    }

    /**
     * Reads the messages that have arrived and tells the listener, writes as much as the channel takes, and dials again
     * where needed. Never waits.
     */
    public void poll(long nowNs, ClientListener listener) {
        if (lost) {
            return;
        }
        try {
            step(nowNs, listener);
        } catch (RendezvousException refusal) {
            lose(refusal.getMessage(), listener);
            return;
        }
        if (isBudgetOver(nowNs)) {
            lose(
                    "no connection to the launcher at " + request.rendezvous() + " for "
                            + request.budgetNs() / 1_000_000 + " ms (" + lastFailure + ")",
                    listener);
        }
    }

    private boolean isBudgetOver(long nowNs) {
        return broken && nowNs - brokenSinceNs >= request.budgetNs();
    }

    private void lose(String reason, ClientListener listener) {
        lost = true;
        close();
        session.loseStore(reason);
        listener.onLauncherLost(reason);
    }

    private void step(long nowNs, ClientListener listener) {
        try {
            if (connection == null) {
                if (nowNs - dialNs < 0) {
                    return;
                }
                connection = new ClientConnection(caller, session.storeSession());
            }
            boolean wasAccepted = connection.isAccepted();
            if (!connection.advance()) {
                return;
            }
            if (!wasAccepted) {
                broken = false;
                backoffNs = FIRST_BACKOFF_NS;
                session.onWelcome(connection.boot(), connection.givenSession(), listener);
                session.onConnected(sender);
                hasJoined = true;
            }
            readAll(listener);
        } catch (IOException failure) {
            onFailure(failure, nowNs);
        }
    }

    private void readAll(ClientListener listener) throws IOException {
        boolean wasSettled = session.isSettled();
        while (connection != null) {
            RendezvousMessage message = connection.read();
            if (message == null) {
                return;
            }
            session.onMessage(message, sender, listener);
            if (!wasSettled && session.isSettled()) {
                // In the callback above the rank may make another listener, for which the remaining messages are meant.
                return;
            }
        }
    }

    private void onFailure(IOException failure, long nowNs) {
        if (failure instanceof RecordsDemandedException) {
            caller = caller.withRecords();
        }
        lastFailure = failure.getMessage() == null ? failure.toString() : failure.getMessage();
        if (connection != null) {
            connection.close();
            connection = null;
        }
        if (!broken) {
            broken = true;
            brokenSinceNs = nowNs;
        }
        dialNs = nowNs + backoffNs;
        backoffNs = Math.min(2 * backoffNs, LONGEST_BACKOFF_NS);
    }

    /**
     * Puts a message on the connection. Without a connection the message is lost, and the session says it again on the
     * next one.
     */
    private final class Sender implements Consumer<RendezvousMessage> {
        @Override
        public void accept(RendezvousMessage message) {
            if (connection == null || !connection.isAccepted()) {
                return;
            }
            try {
                connection.write(message);
            } catch (IOException failure) {
                onFailure(failure, System.nanoTime());
            }
        }
    }

    /** Tells the launcher that Finalize is decided. */
    public void goodbye(SlotSet heldForFailed) {
        session.goodbye(heldForFailed, sender);
    }

    /**
     * Whether the launcher has heard this process's goodbye, and so answers for it, or is lost and cannot be told any
     * more.
     */
    public boolean isGoodbyeHeard() {
        return lost || session.isGoodbyeHeard();
    }

    /** Tells the launcher that this process takes part in nothing any more and is about to end. */
    public void leave(String why) {
        session.leave(why, sender);
    }

    /** Whether the launcher has heard that this process leaves, or is lost and cannot be told any more. */
    public boolean isLeaveHeard() {
        return lost || session.isLeaveHeard();
    }

    /** Tells the launcher that the point of an injection rule is reached. */
    public void reached(int rule) {
        session.reached(rule, sender);
    }

    /**
     * J1: tells the launcher that nothing is heard of a process that counts as live, or that the link to it is lost.
     * The session says so again on every new connection until {@link #heard}, or until the launcher says how the
     * process ended.
     */
    public void suspect(ProcessId process) {
        session.suspect(process, sender);
    }

    /** J1: withdraws {@link #suspect}. Has no effect on a process that was not suspected. */
    public void heard(ProcessId process) {
        session.heard(process, sender);
    }

    /**
     * Answers {@link ClientListener#onAreYouThere}. Without a connection the answer is lost, and the launcher asks
     * again.
     */
    public void here(long question) {
        sender.accept(new RendezvousMessage.Here(question));
    }

    /**
     * Answers {@link ClientListener#onDoYouHear}. Without a connection the answer is lost, and the launcher asks again.
     */
    public void stillNothing(long question, ProcessId process) {
        sender.accept(new RendezvousMessage.StillNothing(question, process));
    }

    /** Answers {@link ClientListener#onWaitsAsked}. Without a connection the answer is lost. */
    public void tellWaits(long request, byte[] report) {
        sender.accept(new RendezvousMessage.Waits(request, report));
    }

    /** Tells the launcher, unasked, that this process has not called MPI for long. May be lost. */
    public void tellSilence() {
        sender.accept(new RendezvousMessage.Waits(RendezvousMessage.Waits.UNASKED, new byte[0]));
    }

    /** Asks the launcher to end the job. */
    public void abort(int code, String reason) {
        session.abort(code, reason, sender);
    }

    /**
     * Sends a request to the store of the job. It is carried out at most once, and sent again on each new connection
     * until it is answered. Returns null if {@link StoreLimits#MAX_UNANSWERED} requests wait for their answers: then it
     * is to be asked again later.
     */
    public StoreReply ask(StoreRequest storeRequest) {
        return session.ask(storeRequest, sender);
    }

    /** Whether {@link #ask} may send another request now. */
    public boolean hasRoomToAsk(StoreRequest request) {
        return session.hasRoomToAsk(request);
    }

    /** Asks the store to answer a request now, though what it waits for has not come. */
    public void withdraw(StoreReply reply) {
        session.withdraw(reply, sender);
    }

    /** Whether every message to the launcher has left this process; true also once the launcher is lost. */
    public boolean isFlushed() {
        return lost || connection != null && connection.isAccepted() && connection.isFlushed();
    }

    /** Cuts the connection. The launcher does not take that for a goodbye. */
    @Override
    public void close() {
        if (connection != null) {
            connection.close();
            connection = null;
        }
    }

    /**
     * Reads the news of a death once, to no effect. A first death costs a rank mainly code and classes that were never
     * used before, and all survivors pay for that at once. May be called by any thread.
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

    private static final class RehearsedDeath extends IgnoreAll {
        private boolean isHeard;

        @Override
        public void onDeath(ProcessId process, String reason) {
            isHeard = true;
        }
    }

    /** The listener while this process joins: it ignores all news, as the world does not run yet. */
    private static class IgnoreAll implements ClientListener {
        @Override
        public void onDeath(ProcessId process, String reason) {}

        @Override
        public void onDeparted(ProcessId process) {}

        @Override
        public void onFence(String reason) {}

        @Override
        public void onAbort(int code, String reason) {}

        @Override
        public void onLauncherLost(String reason) {}
    }
}
