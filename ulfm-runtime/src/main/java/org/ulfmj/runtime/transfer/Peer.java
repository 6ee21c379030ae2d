package org.ulfmj.runtime.transfer;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.runtime.lent.CopyBoard;
import org.ulfmj.runtime.lent.LentOffers;
import org.ulfmj.runtime.message.EagerCredit;
import org.ulfmj.runtime.message.Notice;
import org.ulfmj.transport.ShortPath;

/** What the engine keeps of one process, which may be this one, from the first message on. */
final class Peer {
    final ProcessId id;
    final boolean isSelf;
    /** Whether the process is marked failed: nothing of it is dispatched, and nothing is sent to it. */
    boolean failed;
    /** Has said goodbye. */
    boolean departed;
    /**
     * Whether the process died for certain after Finalize was decided here: that is no failure any more, but nothing
     * reaches it either.
     */
    boolean ended;

    /** Control frames and answers that found no room, or are put off, in order. */
    final ArrayDeque<Notice> notices = new ArrayDeque<>();
    /** Sends whose message or offer found no room, in order. */
    final ArrayDeque<SendOperation> envelopes = new ArrayDeque<>();
    /** Sends that wait until they may be announced, by communicator; only where there are some. */
    final List<HeldSends> held = new ArrayList<>(0);
    /** Whether some of the {@link #held} sends may go on. */
    boolean isHeldReady;
    /** Sends whose bytes the peer takes piece by piece. */
    final ArrayDeque<SendOperation> streams = new ArrayDeque<>();
    /** Announced sends that may go whole when there is credit. */
    final CreditWaiters creditWaiters = new CreditWaiters();
    /** Whether there is new credit for the {@link #creditWaiters}. */
    boolean isCreditNew;
    /** Is in the {@link Backlog}. */
    boolean isBusy;
    /** Whether the notices to the peer wait for their time, and not for room. */
    boolean isPutOff;

    /** The short path to and from it; null where there is none. */
    ShortPath shortPath;
    /** Whether the medium was asked for that path. */
    boolean isShortPathKnown;

    final EagerCredit credit;
    final LentOffers lentOffers = new LentOffers();
    /** The board by which the peer divides messages with this rank; null until it does. */
    CopyBoard board;

    Peer(ProcessId id, boolean isSelf, long eagerCreditBytes) {
        this.id = id;
        this.isSelf = isSelf;
        this.credit = new EagerCredit(eagerCreditBytes);
    }

    boolean isGone() {
        return failed || departed || ended;
    }

    boolean hasOutput() {
        return !notices.isEmpty() || !envelopes.isEmpty() || isCreditNew || isHeldReady || !streams.isEmpty();
    }

    @Override
    public String toString() {
        return "process " + id;
    }
}
