package org.ulfmj.runtime;

import java.util.List;
import org.ulfmj.agree.message.Admission;
import org.ulfmj.detector.Evidence;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotSet;
import org.ulfmj.transport.MemberRecord;

/**
 * What a rank asks of the process, or of the test, that it lives in.
 *
 * <p>Called on the thread that noticed, under the engine lock, so implementations are short and never call MPI; one
 * that ends the process, or stops it for good, simply does not return.
 */
public interface RankHooks {
    /** The rank is made, and nothing else of this has been called yet: a message may have come for it already. */
    default void onStart(RankRuntime rank) {}

    /** This process is marked failed by others, or must have marked itself failed: it ends. */
    void onFenced(String reason);

    /** The program called {@code abort}, or without fault tolerance a rank has failed: the job ends with this code. */
    void onAbort(int code, String reason);

    /** An invariant of this rank is broken: it ends, because a wrong rank is worse than a dead one. */
    void onBroken(Throwable cause);

    /** A trigger's point is reached: the rank reports it and stops here, inside the call, to be killed. */
    void onFaultPoint(int rule);

    /**
     * J1: nothing was heard of the process for the detector's timeout. Nothing follows from it here: any rank that can
     * judge it does, and comes back by {@link RankRuntime#onEvidence}.
     */
    void onSilent(ProcessId process);

    /**
     * J1: the silence that {@link #onSilent} told of has ended, or does not concern this rank any more. Not called for
     * the gone.
     */
    default void onHeard(ProcessId process) {}

    /** The process was marked failed here. */
    void onFailed(ProcessId process, Evidence evidence);

    /** Whether a rank tells all ranks of each certain death, so that they need not wake each other for it. */
    default boolean isToldOfDeaths() {
        return false;
    }

    /** The process said goodbye, or the launcher answers for it. */
    default void onDeparted(ProcessId process) {}

    /**
     * Processes have been replaced, and this process is a member of the world that it made: the launcher is told, and
     * what concerns members also concerns the new ones from now on.
     *
     * @param members of the new world, in slot order
     */
    default void onAdmitted(Admission admission, List<MemberRecord> members) {}

    /**
     * Whether this newcomer may take a member's word that it is admitted. While the launcher counts on its waiting it
     * may not, and the word waits too; asked again at each poll with the seat.
     */
    default boolean mayBeAdmitted() {
        return true;
    }

    /** The world goes on without this process, which was to take a dead one's place: it ends. */
    default void onGoneOnWithout(String why) {}

    /** Finalize is decided: the launcher is told goodbye. */
    void onGoodbye(SlotSet failed);

    /** Whether the goodbye has reached any rank that it is for; Finalize waits for it, at most for the link budget. */
    default boolean isGoodbyeHeard() {
        return true;
    }

    /**
     * The lifeline to the process ended: find out whether it is gone, and if so call {@link RankRuntime#onEvidence}.
     */
    void onLifelineLost(ProcessId process);

    /** The connection to the process broke for good, which is no evidence of its death. */
    void onLinkBroken(ProcessId process);

    /** A connection to the process exists again: what {@link #onLinkBroken} said is withdrawn. */
    default void onLinkRestored(ProcessId process) {}

    /**
     * Called after each poll by the thread that has the seat: the place to read sockets of one's own, without waiting.
     */
    void onSeatPoll(long nowNs);

    /** When {@link #onSeatPoll} is due even without input; {@link Long#MAX_VALUE} is never. */
    default long nextDeadlineNs() {
        return Long.MAX_VALUE;
    }
}
