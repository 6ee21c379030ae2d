package org.ulfmj.rendezvous;

import java.util.List;
import org.ulfmj.protocol.Outbox;

/**
 * The question to all that wait whether they run, put when no process is left of whom that is known (V14): one of them
 * may have been admitted by a member that ended before it could say so. Each question has a number, so that an answer
 * to an older one counts for nothing. Not thread-safe; part of the core.
 */
final class RollCall {
    private final long timeoutNs;

    /** Number of the last one. */
    private int number;

    private boolean open;
    private long deadlineNs = Long.MAX_VALUE;

    /** @param timeoutNs this long one that comes meanwhile waits for its end */
    RollCall(long timeoutNs) {
        this.timeoutNs = timeoutNs;
    }

    boolean isOpen() {
        return open;
    }

    long nextDeadlineNs() {
        return deadlineNs;
    }

    void begin(int round, List<Seat> called, long nowNs, Outbox<Long, RendezvousMessage> out) {
        number++;
        open = true;
        deadlineNs = nowNs + timeoutNs;
        for (Seat seat : called) {
            ask(round, seat, out);
        }
    }

    /** The question, also to one that joins again and has not answered. */
    void ask(int round, Seat seat, Outbox<Long, RendezvousMessage> out) {
        out.send(seat.nonce(), new RendezvousMessage.Recall(round, number));
    }

    /** Returns whether it was an answer to the present question. */
    boolean onAnswer(Seat seat, RendezvousMessage.StillWaiting answer) {
        if (!open || answer.call() != number) {
            return false;
        }
        count(seat);
        return true;
    }

    /** It does not run: it has said so, or has only just come. */
    void count(Seat seat) {
        seat.answeredCall = number;
    }

    boolean has(Seat seat) {
        return seat.answeredCall == number;
    }

    boolean hasAll(List<Seat> called) {
        for (Seat seat : called) {
            if (!has(seat)) {
                return false;
            }
        }
        return true;
    }

    void end() {
        open = false;
        deadlineNs = Long.MAX_VALUE;
    }

    /** V9: whether the time is over, which is said once. */
    boolean isLate(long nowNs) {
        if (nowNs < deadlineNs) {
            return false;
        }
        deadlineNs = Long.MAX_VALUE;
        return true;
    }
}
