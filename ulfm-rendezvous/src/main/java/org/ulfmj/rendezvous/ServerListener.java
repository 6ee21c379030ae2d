package org.ulfmj.rendezvous;

import java.util.List;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotSet;
import org.ulfmj.transport.MemberRecord;

/**
 * What the launcher hears from its rendezvous; each at most once for the same fact, but {@link #onSuspect} and
 * {@link #onSilent}. Called on the server's one thread, which it must not hold up; it may call the server.
 */
public interface ServerListener {
    /** The process has called Init, and waits for the others. */
    void onJoined(ProcessId process);

    /** The process has called Init, and waits to be admitted to the world that runs. */
    default void onPending(ProcessId newcomer) {}

    /**
     * The world runs in a later epoch.
     *
     * @param from who was heard first
     * @param members in slot order; one of them may have ended meanwhile, also a newcomer
     */
    default void onCommitted(ProcessId from, int epoch, List<MemberRecord> members) {}

    /**
     * The process lives, was a member, and the others go on without it. It is told to end itself; until its end is
     * proven it may run.
     */
    default void onExcluded(ProcessId process) {}

    /** A newcomer was told that the world went on, or ended, without it; it ends, and that is no failure. */
    default void onLeftOut(ProcessId newcomer) {}

    /** A process without a slot is ready to take one: {@link RendezvousServer#assign}. */
    default void onSpare(int number) {}

    /**
     * All processes of the world have ended, none by a goodbye, and no newcomer runs. Those that wait, and those that
     * are still started, gather as at first; {@link #onFinal} or {@link #onClosed} tells the outcome.
     */
    default void onWorldGone() {}

    /** All have joined and confirmed: the world runs. */
    void onFinal();

    /** The world can never run, or was closed; all that joined are told so. Nothing else comes of it. */
    void onClosed(OutReason reason, String text);

    /** Finalize is decided at the process; regardless of its end, it is no failure. */
    void onGoodbye(ProcessId process, SlotSet heldForFailed);

    /** The process stands at the point of an injection rule and waits to be killed. */
    void onReached(ProcessId process, int rule);

    /** One process hears nothing of another, and both count as live. If that lasts, one of them is judged. */
    default void onSuspect(ProcessId from, ProcessId about) {}

    /**
     * J2, J3: the process is to be killed now. Told again while its end is not proven, and SIGKILL not seen to be
     * pending.
     *
     * @param reason what comes after its name: {@code was silent for 5000 ms (state T)}
     */
    default void onSilent(ProcessId process, String reason) {}

    /**
     * J2: how long one of the process's threads has been ready and has waited for a core since this was asked last, in
     * ns; of the thread that has waited longest. 0 the first time, and where that is not known.
     */
    default long waitedForCoreNs(ProcessId process, long pid) {
        return 0;
    }

    /**
     * SIGKILL does not end the process, and all members were told to have marked it failed. No process need wait for
     * its end.
     */
    default void onGivenUp(ProcessId process, String reason) {}

    /** As {@link #onSilent}, of a process without a slot. */
    default void onSpareSilent(int number, String reason) {}

    /** As {@link #onGivenUp}, of a process without a slot. */
    default void onSpareGivenUp(int number, String reason) {}

    /** The process is told to end itself, because the others go on without it. */
    void onFenced(ProcessId process, String reason);

    /** A process wants the job to end with this code. */
    void onAbort(ProcessId by, int code, String reason);

    /**
     * The answer to {@link RendezvousServer#askWaits}; at most once for each time it was asked.
     *
     * @param report as the process wrote it
     */
    default void onWaits(ProcessId process, long request, byte[] report) {}

    /**
     * A process called that does not know the job's secret, and was cut off. Told once, however many there are.
     *
     * @param why in plain words
     */
    default void onStranger(String why) {}

    /** The server's thread has ended by its own error. */
    void onBroken(Throwable cause);
}
