package org.ulfmj.rendezvous;

import java.util.List;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotSet;
import org.ulfmj.rendezvous.message.OutReason;
import org.ulfmj.rendezvous.message.RendezvousMessage;
import org.ulfmj.rendezvous.rounds.Joiner;
import org.ulfmj.rendezvous.server.RendezvousServer;
import org.ulfmj.transport.MemberRecord;

/**
 * The events that the rendezvous reports to the launcher. The same complaint ({@link #onSuspect}), order to kill
 * ({@link #onSilent}, {@link #onSpareSilent}) or answer ({@link #onWaits}) may come again. All methods are called on
 * the server's one thread, which the listener must not hold up. The listener may call the server.
 */
public interface ServerListener {
    /** The process has called Init, and waits for the other processes. */
    void onJoined(ProcessId process);

    /**
     * A process of an elastic world has joined for the first time. It bears its provisional name until it has a slot.
     */
    default void onArrived(Joiner joiner) {}

    /**
     * The process has called Init, and waits to be admitted to the world that runs; or, while none runs, until the
     * present round is decided or the older process of its slot has ended.
     */
    default void onPending(ProcessId newcomer) {}

    /**
     * The world runs in a later epoch.
     *
     * @param from a member that is known to run
     * @param members in slot order; some of them may have ended meanwhile, newcomers too
     */
    default void onCommitted(ProcessId from, int epoch, List<MemberRecord> members) {}

    /**
     * A process of an elastic world has this name now, and is no member of the present world. It got the name as a
     * member at a time when the listener heard nothing ({@link RendezvousServer#tellSince}).
     */
    default void onNamed(MemberRecord former) {}

    /**
     * The process was, or claimed to be, a member and its end is not proven, but the other members go on without it. It
     * is told to end itself; until its end is proven it may run.
     */
    default void onExcluded(ProcessId process) {}

    /**
     * A newcomer was refused, because the world went on or ended without it, or because it has waited too long. The
     * newcomer ends, which is no failure.
     */
    default void onLeftOut(ProcessId newcomer) {}

    /** A spare, which has no slot, is ready to take one: {@link RendezvousServer#assign}. */
    default void onSpare(int number) {}

    /**
     * No process of the world runs any more, none has said goodbye, and no newcomer runs. The processes that wait, and
     * those that are still started, gather as at first; {@link #onFinal} or {@link #onClosed} tells the outcome.
     */
    default void onWorldGone() {}

    /** All members have joined and confirmed: the world runs. */
    void onFinal();

    /**
     * Which process of an elastic world got which slot; called just before {@link #onFinal}. The later epochs of the
     * world are told by {@link #onCommitted}.
     *
     * @param members in slot order, each with its nonce
     */
    default void onBegun(List<MemberRecord> members) {}

    /**
     * The rendezvous is closed, other than by an abort: the world cannot come to run, or the launcher has closed it.
     * The processes that joined and have neither ended nor left early are told so, unless they were refused before.
     */
    void onClosed(OutReason reason, String text);

    /** Finalize is decided at the process. However the process ends after that, it is no failure. */
    void onGoodbye(ProcessId process, SlotSet heldForFailed);

    /**
     * The process takes part in nothing any more, although Finalize is not decided, and is about to end.
     *
     * @param why in a word or a clause: {@code preempted}
     * @return whether the other members are told now; false in a job that ends by it, since their own errors would hide
     *     which process left first
     */
    default boolean onLeave(ProcessId process, String why) {
        return true;
    }

    /** The process stands at the point of an injection rule and waits to be killed. */
    void onReached(ProcessId process, int rule);

    /**
     * Process {@code from}, a live member, complains that it hears nothing of process {@code about}, which is not known
     * to have ended, left or said goodbye.
     */
    default void onSuspect(ProcessId from, ProcessId about) {}

    /**
     * J2 to J4: the launcher is to kill this process now. May be called again until the end of the process is proven.
     *
     * @param reason the words that follow the process's name: {@code was silent for 5000 ms (state T)}
     */
    default void onSilent(ProcessId process, String reason) {}

    /**
     * As {@link #onSilent(ProcessId, String)}, with the nonce of the process: where names change, another process may
     * have the name by the time that the listener acts.
     */
    default void onSilent(ProcessId process, long nonce, String reason) {
        onSilent(process, reason);
    }

    /**
     * J2: asks how long a thread of the process was ready to run and waited for a core since the last call, in ns; of
     * several threads the longest wait counts. 0 at the first call, and where the time is not known. For a process of
     * another host this is what its agent has reported.
     */
    default long waitedForCoreNs(ProcessId process, long pid) {
        return 0;
    }

    /**
     * Whether the counting for the next result of {@link #waitedForCoreNs} for this process has begun. The result does
     * not cover the time before.
     */
    default boolean isCoreWaitKnown(ProcessId process) {
        return true;
    }

    /**
     * J3: a host has lost its path to another one, and each of its processes is to be killed: {@link #onSilent} and
     * {@link #onSpareSilent} follow. Processes that are started on that host later would lose the same path.
     */
    default void onHostEnds(int host) {}

    /**
     * J4: a host was silent as a whole. All members were told to mark its processes failed, but the processes may still
     * run: no successor is to be started before the end of a process is proven, or {@link #onLeaseOver} is called for
     * it.
     */
    default void onLost(int host, List<ProcessId> processes, String reason) {}

    /**
     * J4, in a job that needs a majority: nothing is heard of half of the members or more. No process was told so, and
     * none must be told anything any more, because those members may be the side that goes on.
     *
     * @param reached the number of members of which something is heard
     * @param members the number of members that are not known to have ended, left or said goodbye
     */
    default void onMinority(int reached, int members) {}

    /**
     * J4, V15: a process of a lost host counts as ended from now on, as if its end were proven: its lease is over, so
     * it has ended itself, or does so before any other step.
     */
    default void onLeaseOver(ProcessId process, String reason) {}

    /**
     * SIGKILL does not end the process; if it was a member, all members were told to mark it failed. The launcher need
     * not wait for its end.
     */
    default void onGivenUp(ProcessId process, String reason) {}

    /** As {@link #onSilent}, for a spare, which has no slot. */
    default void onSpareSilent(int number, String reason) {}

    /** As {@link #onGivenUp}, for a spare, which has no slot. */
    default void onSpareGivenUp(int number, String reason) {}

    /** The process is told to end itself, for this reason. */
    void onFenced(ProcessId process, String reason);

    /** A process wants the job to end with this code. */
    void onAbort(ProcessId by, int code, String reason);

    /**
     * The answer of a process to {@link RendezvousServer#askWaits}; it comes again if the connection of the process
     * broke meanwhile. With the request {@link RendezvousMessage.Waits#UNASKED} and no report, the process says that it
     * has not called MPI for long.
     *
     * @param report as the process wrote it
     */
    default void onWaits(ProcessId process, long request, byte[] report) {}

    /**
     * The handshake of a caller failed, for example because it does not know the job's secret, and the caller was cut
     * off. Only the first such caller is reported.
     *
     * @param why in plain words
     */
    default void onStranger(String why) {}

    /** The server's thread has ended by its own error. */
    void onBroken(Throwable cause);
}
