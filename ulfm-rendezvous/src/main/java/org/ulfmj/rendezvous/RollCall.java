package org.ulfmj.rendezvous;

import java.util.List;
import org.ulfmj.protocol.Outbox;
import org.ulfmj.protocol.WireReader;
import org.ulfmj.protocol.WireWriter;
import org.ulfmj.rendezvous.message.RendezvousMessage;

/**
 * The question to the processes that may run without the core's knowledge, whether they run (V14). It is asked when no
 * process is left that is known to run: a process that waits may have been admitted by a member that ended before it
 * could tell the core so. Each question has a number, so that an answer to an older one is ignored. Not thread-safe;
 * part of the core.
 */
final class RollCall {
    private final long timeoutNs;

    /** Number of the last question. */
    private int number;

    private boolean open;
    private long deadlineNs = Long.MAX_VALUE;

    /** @param timeoutNs how long after its beginning a roll call lets the processes wait that join during it */
    RollCall(long timeoutNs) {
        this.timeoutNs = timeoutNs;
    }

    void writeImage(WireWriter out) {
        out.putInt(number);
        CoreImage.putFlag(out, open);
        CoreImage.putFlag(out, deadlineNs != Long.MAX_VALUE);
    }

    /** Reads what {@link #writeImage} has written. The time of an open roll call begins anew if it had not passed. */
    void readImage(WireReader in, long nowNs) {
        number = in.getInt();
        open = CoreImage.getFlag(in);
        deadlineNs = CoreImage.getFlag(in) ? nowNs + timeoutNs : Long.MAX_VALUE;
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

    /** Asks one process. A process that joins again and has not answered is asked again. */
    void ask(int round, Seat seat, Outbox<Long, RendezvousMessage> out) {
        out.send(seat.nonce(), new RendezvousMessage.Recall(round, number));
    }

    /** Counts the answer of a process. Returns whether it answers the present question. */
    boolean onAnswer(Seat seat, RendezvousMessage.StillWaiting answer) {
        if (!open || answer.call() != number) {
            return false;
        }
        count(seat);
        return true;
    }

    /** Notes that the process does not run: it has said so, or it has joined during this roll call. */
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

    /**
     * V9: whether the time has passed that processes wait for the end of this roll call. Returns true only once per
     * roll call.
     */
    boolean isLate(long nowNs) {
        if (nowNs < deadlineNs) {
            return false;
        }
        deadlineNs = Long.MAX_VALUE;
        return true;
    }
}
