package org.ulfmj.rendezvous;

import java.util.ArrayList;
import java.util.List;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.rendezvous.rounds.WorldSize;

/**
 * The candidates of an elastic world: every process that has joined and holds no slot, has not ended and was not
 * refused. Decides when their table is frozen (V4), which of them get which slots (V5), and which have waited long
 * enough (V9). Pure, not thread-safe; part of the core.
 */
final class Candidates {
    private final Roster roster;
    private final RunSpec run;
    private final WorldSize size;

    /** The time at which the last call ends; {@link Long#MAX_VALUE} if there is no last call. */
    private long lastCallEndNs = Long.MAX_VALUE;

    Candidates(Roster roster, RunSpec run) {
        this.roster = roster;
        this.run = run;
        this.size = run.elastic();
    }

    /** Begins the time to join of a process that has just become a candidate. */
    void add(Seat seat, long nowNs) {
        seat.joinDeadlineNs = nowNs + run.joinTimeoutNs();
    }

    /**
     * V7, V14: takes all slots away. Every process that has not ended and was not refused is then a candidate, and its
     * time to join begins anew.
     */
    void reopen(long nowNs) {
        lastCallEndNs = Long.MAX_VALUE;
        roster.vacateAll();
        for (Seat seat : new ArrayList<>(roster.all())) {
            roster.name(seat, seat.joiner.member().id());
            if (seat.isHere()) {
                seat.confirmed = false;
                add(seat, nowNs);
            }
        }
    }

    /**
     * Lets the time to join of each candidate and, if there was one, the last call begin anew: for a coordinator that
     * goes on from the state of another one, or whose messages leave again.
     */
    void restart(boolean wasLastCall, long nowNs) {
        lastCallEndNs = wasLastCall ? nowNs + size.lastCallNs() : Long.MAX_VALUE;
        for (Seat seat : roster.waiting()) {
            add(seat, nowNs);
        }
    }

    /** V4: begins the last call when there are enough candidates, and cancels it when there are too few. */
    void count(long nowNs) {
        if (have() < size.min()) {
            lastCallEndNs = Long.MAX_VALUE;
        } else if (!isLastCall()) {
            lastCallEndNs = nowNs + size.lastCallNs();
        }
    }

    boolean isLastCall() {
        return lastCallEndNs != Long.MAX_VALUE;
    }

    boolean isFull() {
        return have() >= size.max();
    }

    int have() {
        return roster.waiting().size();
    }

    /**
     * The end of the last call, if there is one, else the earliest end of a candidate's time to join;
     * {@link Long#MAX_VALUE} without candidates. V9: in a last call no candidate is dismissed.
     */
    long nextDeadlineNs() {
        if (isLastCall()) {
            return lastCallEndNs;
        }
        long nextNs = Long.MAX_VALUE;
        for (Seat seat : roster.waiting()) {
            nextNs = Math.min(nextNs, seat.joinDeadlineNs);
        }
        return nextNs;
    }

    /**
     * V5: gives the slots from 0 on to the candidates, ordered by host order, local index and nonce. Those beyond the
     * greatest size of the world get none.
     */
    void giveSlots() {
        lastCallEndNs = Long.MAX_VALUE;
        List<Seat> inOrder = roster.waiting();
        inOrder.sort((one, other) -> one.joiner.compareTo(other.joiner));
        for (int slot = 0; slot < Math.min(size.max(), inOrder.size()); slot++) {
            Seat seat = inOrder.get(slot);
            roster.name(seat, ProcessId.of(slot));
            roster.place(seat);
        }
    }

    /** V9: the candidates whose time to join has passed. */
    List<Seat> late(long nowNs) {
        List<Seat> late = roster.waiting();
        late.removeIf(seat -> seat.joinDeadlineNs > nowNs);
        return late;
    }

    String whyLate() {
        return "waited " + run.joinTimeoutNs() / 1_000_000 + " ms (ulfm.rdzv.join) for other processes: state JOINABLE,"
                + " have " + have() + ", need " + size.min();
    }
}
