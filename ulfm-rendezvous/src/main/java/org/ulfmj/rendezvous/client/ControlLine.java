package org.ulfmj.rendezvous.client;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.util.List;
import java.util.function.Consumer;
import org.ulfmj.rendezvous.message.RendezvousMessage;

/**
 * The connection of a process to its launcher, dialed again when it breaks. Never waits. Not thread-safe; part of the
 * client.
 *
 * <p>A process with a lease also dials while its connection brings no answers: a path that was silent for a moment is
 * used again by a new connection long before the system repeats what was lost on the old one. The old connection is
 * kept meanwhile, written to and read. A late answer on it ends the attempt, unless the launcher may have accepted that
 * already, and with it given up the old connection; the acceptance of the attempt ends the old connection.
 */
final class ControlLine implements Consumer<RendezvousMessage> {
    private static final long FIRST_BACKOFF_NS = 10_000_000;
    private static final long LONGEST_BACKOFF_NS = 250_000_000;
    /**
     * How often the line is read, in the time that an answer may take, while another connection is dialed beside it.
     */
    private static final int LOOKS_PER_ANSWER = 8;
    /** How often a process looks whether its coordinator is at another address. */
    private static final long WHEREABOUTS_NS = 100_000_000;

    private final JoinRequest request;
    private final JoinSession session;
    private final boolean hasLease;
    /** Of a coordinator that may change; null where only the launcher is one. */
    private final Whereabouts whereabouts;

    private Caller caller;

    /** The connection that the launcher has accepted; null while there is none. */
    private ClientConnection line;
    /** The attempt to connect that is under way; null while there is none. */
    private ClientConnection dial;

    private long steppedNs;
    /** When {@link #dial} was begun. */
    private long dialedNs;
    /** When to dial again; meaningful while a connection is wanted and none is being dialed. */
    private long dialNs;

    private long backoffNs = FIRST_BACKOFF_NS;
    /** Since when a connection is wanted: the line broke, or brings no answers. */
    private long wantedSinceNs;
    /** Whether the line brings no answers. */
    private boolean isMute;
    /** Whether the line broke, and no connection was accepted since. */
    private boolean isBroken;

    /** How many bytes the line has brought. */
    private long broughtBytes;
    /** Whether the launcher had decided about this process before this step. */
    private boolean wasSettled;

    private boolean hasJoined;
    private String lastFailure = "";
    /** Faults for tests. */
    private List<LineCut> cuts = List.of();

    ControlLine(JoinRequest request, JoinSession session) {
        this.request = request;
        this.session = session;
        this.hasLease = request.lease() != null;
        this.whereabouts = request.whereabouts();
        this.caller = request.caller();
    }

    /** The first attempt is made from now on. */
    void begin(long nowNs) {
        dialNs = nowNs;
        wantedSinceNs = nowNs;
    }

    /** Whether there is a connection that the launcher has accepted. */
    boolean isUp() {
        return line != null;
    }

    /** Whether this process has said on an accepted connection that it joins. */
    boolean hasJoined() {
        return hasJoined;
    }

    /** Sets when nothing passes (a fault for tests). */
    void cut(List<LineCut> newCuts) {
        cuts = newCuts;
    }

    /** Lets each of the cuts begin and end that is due to. */
    private void applyCuts(long nowNs) {
        if (cuts.isEmpty()) {
            return;
        }
        boolean isUnheard = false;
        boolean isUnreached = false;
        for (LineCut cut : cuts) {
            isUnheard |= cut.isOn(nowNs) && cut.isUnheard();
            isUnreached |= cut.isOn(nowNs) && cut.isUnreached();
        }
        for (ClientConnection each : new ClientConnection[] {line, dial}) {
            if (each != null) {
                each.cut(isUnheard, isUnreached);
            }
        }
    }

    private long nextCutNs() {
        long nextNs = Long.MAX_VALUE;
        for (LineCut cut : cuts) {
            nextNs = Math.min(nextNs, cut.nextNs(steppedNs));
        }
        return nextNs;
    }

    /** How the last attempt or connection ended; empty if none has. */
    String lastFailure() {
        return lastFailure;
    }

    /** The channel to be watched; null while there is none. */
    SelectableChannel channel() {
        return watched() == null ? null : watched().channel();
    }

    /** What {@link #channel} is to be watched for: bits of {@link SelectionKey}. */
    int operations() {
        return watched() == null ? 0 : watched().operations();
    }

    private ClientConnection watched() {
        return dial == null ? line : dial;
    }

    /** Whether all that was said has left this process, and not only towards a connection that is to be replaced. */
    boolean isFlushed() {
        return line != null && line.isFlushed() && !isMute && dial == null;
    }

    boolean isBudgetOver(long nowNs) {
        return isBroken && nowNs - wantedSinceNs >= request.budgetNs();
    }

    /** When {@link #step} is needed even without input; {@link Long#MAX_VALUE} if never. */
    long nextDeadlineNs() {
        long nextNs = cuts.isEmpty() ? ownDeadlineNs() : Math.min(ownDeadlineNs(), nextCutNs());
        return whereabouts == null ? nextNs : Math.min(nextNs, steppedNs + WHEREABOUTS_NS);
    }

    private long ownDeadlineNs() {
        if (line != null && !isMute && dial == null) {
            return session.answerDueNs();
        }
        if (dial == null) {
            return line != null ? Math.min(dialNs, lookNs()) : dialNs;
        }
        if (hasLease) {
            return line != null ? Math.min(dialedNs + attemptNs(), lookNs()) : dialedNs + attemptNs();
        }
        return isBroken && whereabouts == null ? wantedSinceNs + request.budgetNs() : Long.MAX_VALUE;
    }

    /** When to read the line beside an attempt, whose channel alone is watched. */
    private long lookNs() {
        return steppedNs + request.lease().answerNs() / LOOKS_PER_ANSWER;
    }

    /**
     * How long the present attempt may take. The system repeats a lost first packet after a second only, so the first
     * attempts are short. Later ones take longer, for a path on which each answer takes long. What the launcher's
     * system has answered is work for both ends, which may be slow.
     */
    private long attemptNs() {
        long shortNs = Math.max(request.lease().answerNs() / 2, (dialedNs - wantedSinceNs) / 4);
        return dial.isConnected() ? 4 * shortNs : shortNs;
    }

    /**
     * Reads what has arrived, writes as much as the channel takes, dials where that is needed.
     *
     * @throws RendezvousException if the launcher refuses this process for good
     */
    void step(long nowNs, ClientListener listener) {
        steppedNs = nowNs;
        wasSettled = session.isSettled();
        applyCuts(nowNs);
        if (line != null) {
            readLine(nowNs, listener);
        }
        if (whereabouts != null) {
            leaveFormerCoordinator(nowNs);
        }
        if (line == null || isMute || dial != null && dial.isGreeted()) {
            goOnDialing(nowNs, listener);
        } else {
            closeDial();
        }
    }

    /**
     * The coordinator is another one now: the former one may hold its connections open, as a process that is stopped.
     */
    private void leaveFormerCoordinator(long nowNs) {
        InetSocketAddress present = whereabouts.now();
        if (present == null || caller.rendezvous().equals(present)) {
            return;
        }
        caller = caller.at(present);
        closeDial();
        if (line != null) {
            onBroken(new IOException("the coordinator is at " + present + " now"), nowNs);
        }
        backoffNs = FIRST_BACKOFF_NS;
        dialNs = nowNs;
    }

    private void readLine(long nowNs, ClientListener listener) {
        try {
            line.advance();
            readAll(listener);
        } catch (IOException failure) {
            onBroken(failure, nowNs);
            return;
        }
        if (line != null && line.bytesRead() != broughtBytes) {
            broughtBytes = line.bytesRead();
            session.onBrought(nowNs);
        }
        boolean wasMute = isMute;
        isMute = line != null && session.isUnanswered(nowNs);
        if (isMute && !wasMute) {
            lastFailure = noAnswerFor(request.lease().answerNs());
            dialNs = nowNs;
            wantedSinceNs = nowNs;
            backoffNs = FIRST_BACKOFF_NS;
        }
    }

    private void readAll(ClientListener listener) throws IOException {
        // Once the process is settled the rank makes another listener, for which the remaining messages are meant.
        while (line != null && (wasSettled || !session.isSettled())) {
            RendezvousMessage message = line.read();
            if (message == null) {
                return;
            }
            session.onMessage(message, this, listener);
        }
    }

    private void goOnDialing(long nowNs, ClientListener listener) {
        try {
            if (dial == null) {
                if (nowNs - dialNs < 0) {
                    return;
                }
                dial = new ClientConnection(caller, session.storeSession());
                dialedNs = nowNs;
                applyCuts(nowNs);
            }
            if (hasAdvanced()) {
                adopt(nowNs, listener);
            } else if (hasLease && nowNs - dialedNs >= attemptNs()) {
                throw new IOException(noAnswerFor(attemptNs()));
            }
        } catch (IOException failure) {
            onDialFailed(failure, nowNs);
        }
    }

    /** Goes on with the attempt. Where coordinators change, a stranger may listen at the address of a former one. */
    private boolean hasAdvanced() throws IOException {
        try {
            return dial.advance();
        } catch (RendezvousException refusal) {
            if (whereabouts != null && refusal.isOfStranger()) {
                throw new IOException(refusal.getMessage(), refusal);
            }
            throw refusal;
        }
    }

    private static String noAnswerFor(long ns) {
        return "no answer for " + ns / 1_000_000 + " ms";
    }

    /** The launcher has accepted the attempt to connect. */
    private void adopt(long nowNs, ClientListener listener) {
        if (line != null) {
            // Before the launcher gave up the old connection it may have said something on it.
            readLine(nowNs, listener);
        }
        closeLine();
        line = dial;
        broughtBytes = 0;
        dial = null;
        isMute = false;
        isBroken = false;
        backoffNs = FIRST_BACKOFF_NS;
        session.onWelcome(line.boot(), line.givenSession(), listener);
        session.onConnected(nowNs, this);
        hasJoined = true;
        if (line != null) {
            readLine(nowNs, listener);
        }
    }

    private void onBroken(IOException failure, long nowNs) {
        if (line == null) {
            return;
        }
        closeLine();
        lastFailure = textOf(failure);
        isBroken = true;
        if (!isMute) {
            wantedSinceNs = nowNs;
            dialLater(nowNs);
        }
        isMute = false;
    }

    private void onDialFailed(IOException failure, long nowNs) {
        if (failure instanceof RecordsDemandedException) {
            caller = caller.withRecords();
        }
        closeDial();
        lastFailure = textOf(failure);
        if (line == null && !isBroken) {
            isBroken = true;
            wantedSinceNs = nowNs;
        }
        dialLater(nowNs);
    }

    private void dialLater(long nowNs) {
        dialNs = nowNs + backoffNs;
        backoffNs = Math.min(2 * backoffNs, LONGEST_BACKOFF_NS);
    }

    private static String textOf(IOException failure) {
        return failure.getMessage() == null ? failure.toString() : failure.getMessage();
    }

    /**
     * Puts a message on the connection. Without a connection the message is lost, and the session says it again on the
     * next one.
     */
    @Override
    public void accept(RendezvousMessage message) {
        if (line == null) {
            return;
        }
        try {
            line.write(message);
        } catch (IOException failure) {
            onBroken(failure, System.nanoTime());
        }
    }

    private void closeLine() {
        if (line != null) {
            line.close();
            line = null;
            session.onDisconnected();
        }
    }

    private void closeDial() {
        if (dial != null) {
            dial.close();
            dial = null;
        }
    }

    /** Cuts the connection. The launcher does not take that for a goodbye. */
    void close() {
        closeDial();
        closeLine();
    }
}
