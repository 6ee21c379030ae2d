package org.ulfmj.runtime;

import org.ulfmj.detector.Evidence;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotSet;
import org.ulfmj.runtime.leave.LeavingHooks;
import org.ulfmj.runtime.recovery.ProtocolHooks;
import org.ulfmj.runtime.store.JobStore;

/**
 * What an engine asks of the process, or of the test, that its rank lives in.
 *
 * <p>Called under the engine lock, on the thread that noticed the event, so implementations are short and never call
 * MPI; one that ends the process, or stops it for good, simply does not return.
 */
public interface EngineHooks extends ProtocolHooks, LeavingHooks, JobStore.Access {
    /** This process must end: others have marked it failed, or it must not go on for another reason. */
    void onFenced(String reason);

    /** The program called {@code abort}, or without fault tolerance a rank has failed: the job ends with this code. */
    void onAbort(int code, String reason);

    /** An invariant of this rank is broken: it ends, because a wrong rank is worse than a dead one. */
    void onBroken(Throwable cause);

    /**
     * A trigger's point is reached. The rank reports the rule to the launcher and stops here, inside the call, to be
     * killed; or the fault that the rule names is carried out.
     */
    void onFaultPoint(int rule);

    /** The rank passes a named point. Called only where faults are planned. */
    default void onPassed(String point) {}

    /**
     * A call of the program has begun. Called only where faults are planned, by the program's thread and without the
     * engine lock, so that the thread may be held here.
     */
    default void onCallBegun() {}

    /** Whether a planned fault may hold callers at a time, so that {@link #onCallBegun} has to be called. */
    default boolean holdsCallers() {
        return false;
    }

    /** This rank has marked a process failed. */
    void onFailed(ProcessId process, Evidence evidence);

    /** A process said goodbye, or the launcher says so for it. */
    default void onDeparted(ProcessId process) {}

    /** Finalize is decided: the launcher is told goodbye. */
    void onGoodbye(SlotSet failed);

    /**
     * Called before each poll by the thread that has the seat: this process may have stood still until now.
     *
     * @return whether what was reported to the rank is to be applied before it reads any message
     */
    default boolean beforeSeatPoll() {
        return false;
    }

    /**
     * Called after each poll by the thread that has the seat: the place to read sockets that are not the fabric's,
     * without waiting.
     */
    void onSeatPoll(long nowNs);

    /** Finalize is done: this rank owes no other rank anything. Called without the engine lock. */
    default void onFinished() {}

    /** When {@link #onSeatPoll} is due even without input; {@link Long#MAX_VALUE} is never. */
    default long nextDeadlineNs() {
        return Long.MAX_VALUE;
    }
}
