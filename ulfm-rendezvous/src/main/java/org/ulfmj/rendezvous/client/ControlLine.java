package org.ulfmj.rendezvous.client;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.util.List;
import java.util.function.Consumer;
import org.ulfmj.rendezvous.message.RendezvousMessage;

/**
 * The connection of a process to its launcher, which is dialed again when it breaks. Never waits. Not thread-safe; part
 * of the client.
 *
 * <p>A process with a lease also dials another connection while its present one brings no answers: after a short
 * silence of the path a new connection works long before the system sends again what was lost on the old one. Meanwhile
 * the old connection is still written to and read. A late answer on the old connection ends the attempt, unless the
 * launcher may have accepted the attempt already, and has then given up the old connection. Once the attempt is
 * accepted, the old connection is closed.
 */
final class ControlLine implements Consumer<RendezvousMessage> {
    private static final long FIRST_BACKOFF_NS = 10_000_000;
    private static final long LONGEST_BACKOFF_NS = 250_000_000;
    /**
     * How many times, within the time that an answer may take, the present connection is read while another one is
     * dialed.
     */
    private static final int LOOKS_PER_ANSWER = 8;
    /** How often a process looks whether its coordinator is at another address. */
    private static final long WHEREABOUTS_NS = 100_000_000;

    private final JoinRequest request;
    private final JoinSession session;
    private final boolean hasLease;
    /** Tells where a coordinator is that may change; null where only the launcher is the coordinator. */
    private final Whereabouts whereabouts;

    private Caller caller;

    /** The connection that the launcher has accepted; null while there is none. */
    private ClientConnection line;
    /** The attempt to connect that is under way; null while there is none. */
    private ClientConnection dial;

    private long steppedNs;
    /** When {@link #dial} was begun. */
    private long dialedNs;
    /** The time at which to dial again. Valid while a connection is wanted and no attempt is under way. */
    private long dialNs;

    private long backoffNs = FIRST_BACKOFF_NS;
    /** The time since which a connection is wanted, in place of none or of one that brings no answers. */
    private long wantedSinceNs;
    /** Whether the line brings no answers. */
    private boolean isMute;
    /** Whether there is no accepted connection, because the last one or the first attempts failed. */
    private boolean isBroken;

    /** How many bytes the line has brought. */
    private long broughtBytes;
    /** Whether the launcher had already decided about this process at the beginning of this step. */
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

    /** Lets the first attempt be made at the next step. */
    void begin(long nowNs) {
        dialNs = nowNs;
        wantedSinceNs = nowNs;
    }

    /** Whether there is a connection that the launcher has accepted. */
    boolean isUp() {
        return line != null;
    }

    /** Whether this process has sent its Join on an accepted connection. */
    boolean hasJoined() {
        return hasJoined;
    }

    /** Sets the times in which nothing passes (a fault for tests). */
    void cut(List<LineCut> newCuts) {
        cuts = newCuts;
    }

    /** Applies those cuts that are on now, and ends the others (a fault for tests). */
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

    /** How the last attempt or connection failed, or that the connection brings no answers; empty if none of these. */
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

    /**
     * Whether all messages have left this process, on a connection that brings answers and is not about to be replaced.
     */
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

    /**
     * When to read the present connection while another one is dialed: only the channel of the attempt is watched then.
     */
    private long lookNs() {
        return steppedNs + request.lease().answerNs() / LOOKS_PER_ANSWER;
    }

    /**
     * How long the present attempt may take. The first attempts are short, because the system sends a lost first packet
     * again only after a second. Later ones take longer, for a path on which each answer takes long. An attempt that
     * the launcher's system has answered may take four times as long, because the handshake is work for both ends.
     */
    private long attemptNs() {
        long shortNs = Math.max(request.lease().answerNs() / 2, (dialedNs - wantedSinceNs) / 4);
        return dial.isConnected() ? 4 * shortNs : shortNs;
    }

    /**
     * Reads what has arrived, writes as much as the channel takes, dials where that is needed.
     *
     * @throws RendezvousException if the launcher refuses this process for good, or if a stranger listens at the
     *     address of the only coordinator
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
     * Leaves the present connection if the coordinator has another address now: the former coordinator may hold its
     * connections open, for example while its process is stopped.
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
        // Once the launcher has decided about this process the rank sets another listener, which is to get the
        // remaining messages.
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

    /**
     * Goes on with the attempt. Where coordinators change, a stranger at the address of a former coordinator only fails
     * the attempt.
     */
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

    /** Replaces the present connection by the attempt, which the launcher has accepted. */
    private void adopt(long nowNs, ClientListener listener) {
        if (line != null) {
            // The launcher may have sent something on the old connection before it gave that up.
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
     * Puts a message on the connection. Without a connection the message is lost; on the next one the session says
     * again what it has kept.
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

    /** Closes the connection. The launcher does not take that for a goodbye. */
    void close() {
        closeDial();
        closeLine();
    }
}
