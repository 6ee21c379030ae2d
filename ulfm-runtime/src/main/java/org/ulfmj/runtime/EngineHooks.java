package org.ulfmj.runtime;

import org.ulfmj.detector.Evidence;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotSet;
import org.ulfmj.runtime.recovery.ProtocolHooks;

/**
 * What an engine asks of the process, or of the test, that its rank lives in.
 *
 * <p>Called on the thread that noticed, under the engine lock, so implementations are short and never call MPI; one
 * that ends the process, or stops it for good, simply does not return.
 */
public interface EngineHooks extends ProtocolHooks {
    /** This process is marked failed by others, or must have marked itself failed: it ends. */
    void onFenced(String reason);

    /** The program called {@code abort}, or without fault tolerance a rank has failed: the job ends with this code. */
    void onAbort(int code, String reason);

    /** An invariant of this rank is broken: it ends, because a wrong rank is worse than a dead one. */
    void onBroken(Throwable cause);

    /** A trigger's point is reached: the rank reports it and stops here, inside the call, to be killed. */
    void onFaultPoint(int rule);

    /** The process was marked failed here. */
    void onFailed(ProcessId process, Evidence evidence);

    /** The process said goodbye, or the launcher answers for it. */
    default void onDeparted(ProcessId process) {}

    /** Finalize is decided: the launcher is told goodbye. */
    void onGoodbye(SlotSet failed);

    /** Whether the goodbye has reached any rank that it is for; Finalize waits for it, at most for the link budget. */
    default boolean isGoodbyeHeard() {
        return true;
    }

    /**
     * Called after each poll by the thread that has the seat: the place to read sockets of one's own, without waiting.
     */
    void onSeatPoll(long nowNs);

    /** When {@link #onSeatPoll} is due even without input; {@link Long#MAX_VALUE} is never. */
    default long nextDeadlineNs() {
        return Long.MAX_VALUE;
    }
}
