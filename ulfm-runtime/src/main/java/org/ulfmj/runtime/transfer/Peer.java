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

/** The engine's state for one process that it exchanges messages with, which may be this process itself. */
final class Peer {
    final ProcessId id;
    final boolean isSelf;
    /** Whether the process is marked failed: its frames are ignored, except control messages. */
    boolean failed;
    /** Has said goodbye. */
    boolean departed;
    /**
     * Whether this rank learned for certain that the process is dead after Finalize was decided at this rank: that does
     * not count as a failure any more, but nothing reaches the process either.
     */
    boolean ended;

    /** Control frames to the peer that found no room, or are put off, in order. */
    final ArrayDeque<Notice> notices = new ArrayDeque<>();
    /** Sends to the peer whose message or offer waits for room, or behind such a send, in order. */
    final ArrayDeque<SendOperation> envelopes = new ArrayDeque<>();
    /**
     * The held-back sends to the peer, which may not be announced yet or wait behind such sends, by communicator; only
     * for communicators that have some.
     */
    final List<HeldSends> held = new ArrayList<>(0);
    /** Whether the {@link #held} sends are to be tried again, since some of them can perhaps go on. */
    boolean isHeldReady;
    /** Sends whose bytes are being streamed to the peer, piece by piece. */
    final ArrayDeque<SendOperation> streams = new ArrayDeque<>();
    /** Announced short sends that are sent whole when there is credit. */
    final CreditWaiters creditWaiters = new CreditWaiters();
    /** Whether credit has come that is not yet spent on the {@link #creditWaiters}. */
    boolean isCreditNew;
    /** Is in the {@link Backlog}. */
    boolean isBusy;
    /** Whether the {@link #notices} wait for their time, and not for room in the lane. */
    boolean isPutOff;

    /** The short path in shared memory to and from the peer; null where there is none, or if it is not known yet. */
    ShortPath shortPath;
    /** Whether the medium was asked for the {@link #shortPath} already. */
    boolean isShortPathKnown;

    final EagerCredit credit;
    final LentOffers lentOffers = new LentOffers();
    /**
     * The board on which this rank and the peer divide messages that this rank sends; null before the first divided
     * message, or if the board cannot be mapped.
     */
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
