package org.ulfmj.runtime.progress;

import java.util.concurrent.locks.ReentrantLock;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.runtime.flight.WaitEvent;

/**
 * A rank's engine as its waits know it: the lock that guards all of it, one turn of everything there is to do, and when
 * the next is due. What it does in a turn is its own affair.
 *
 * <p>Everything is called under the lock but {@link #id}, {@link #lock}, {@link #nowNs} and {@link #isOver}.
 */
public interface Engine {
    ProcessId id();

    ReentrantLock lock();

    /** Lets the lock go: a call of the program ends, or goes on outside. */
    void leave();

    long nowNs();

    /**
     * One turn of everything. Returns how much was done; 0 means that waiting is in order.
     *
     * @param withSeat the caller has the seat: the selector is read too, and timers run
     */
    int poll(boolean withSeat);

    /** Polls so far. */
    long polls();

    /** When the seat was used last. */
    long lastSeatPollNs();

    /** When the seat is needed even without input; {@link Long#MAX_VALUE} is never. */
    long nextDeadlineNs();

    /** Whether something can be done, or tried again, without input. */
    boolean hasWork();

    /** To be called now and then by any thread that has the seat while the program computes. */
    void watchCalls();

    /** Whether the rank is: then no thread waits in it any more. */
    boolean isOver();

    /** Whether a wait must look at {@link #checkRunning}. */
    boolean isWaitOver();

    /** Throws if this rank is over, or any thread that waits is to stop. */
    void checkRunning();

    /** An error in a thread of the rank's own: it cannot go on. */
    void breakDown(Throwable error);

    /** A wait goes beyond its spin: what a flight recording is to hear of it, or null. */
    WaitEvent beginWait(Completion completion);
}
