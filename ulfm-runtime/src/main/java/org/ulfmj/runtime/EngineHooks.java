package org.ulfmj.runtime;

import org.ulfmj.detector.Evidence;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotSet;
import org.ulfmj.runtime.leave.LeavingHooks;
import org.ulfmj.runtime.recovery.ProtocolHooks;
import org.ulfmj.runtime.store.JobStore;

/**
 * The calls by which an engine reaches the process, or the test, that its rank lives in.
 *
 * <p>The methods that tell of an event are called under the engine lock unless one says otherwise, on the thread that
 * noticed the event, so implementations are short and never call MPI; one that ends the process, or stops it for good,
 * simply does not return.
 */
public interface EngineHooks extends ProtocolHooks, LeavingHooks, JobStore.Access {
    /** Ends this process: other ranks have marked it failed, or it must not go on for another reason. */
    void onFenced(String reason);

    /**
     * Ends the job with this exit code, for example because the program has called {@code abort}, or a rank has failed
     * in a job without fault tolerance.
     */
    void onAbort(int code, String reason);

    /**
     * Ends this rank, because of an error inside the library, such as a broken invariant: a wrong rank is worse than a
     * dead one.
     */
    void onBroken(Throwable cause);

    /**
     * Carries out a rule of the fault plan whose trigger this rank has reached. The rank reports the rule to the
     * launcher and stops here, inside the call, to be killed; or the fault that the rule names is carried out.
     */
    void onFaultPoint(int rule);

    /** Called when the rank passes a named point. Called only where faults are planned for this rank. */
    default void onPassed(String point) {}

    /**
     * Called when a call of the program has begun. Called only where faults are planned for this rank, by the program's
     * thread and without the engine lock, so that the thread may be held here.
     */
    default void onCallBegun() {}

    /**
     * Whether a planned fault may hold the program's threads at the beginning of a call for some time, so that
     * {@link #onCallBegun} has to be called.
     */
    default boolean holdsCallers() {
        return false;
    }

    /** This rank has marked a process failed. */
    void onFailed(ProcessId process, Evidence evidence);

    /** Called when a process said goodbye, or the launcher says so for it. */
    default void onDeparted(ProcessId process) {}

    /** Called when all live members have agreed to finalize: tells the launcher this rank's goodbye. */
    void onGoodbye(SlotSet failed);

    /**
     * Called before each poll by the thread that has the seat, since this process may have been stopped until now.
     *
     * @return whether what was reported to the rank is to be applied before it reads any message
     */
    default boolean beforeSeatPoll() {
        return false;
    }

    /**
     * Called in each poll by the thread that has the seat, after the fabric was read: the place to read, without
     * waiting, sockets that do not belong to the fabric.
     */
    void onSeatPoll(long nowNs);

    /** Called when Finalize is done: this rank owes no other rank anything. Called without the engine lock. */
    default void onFinished() {}

    /** The time at which {@link #onSeatPoll} is due even without input; {@link Long#MAX_VALUE} means never. */
    default long nextDeadlineNs() {
        return Long.MAX_VALUE;
    }
}
