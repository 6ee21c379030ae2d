package org.ulfmj.rendezvous;

import java.util.List;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.transport.MemberRecord;

/**
 * What a rank hears from the launcher. The same news may come again after a broken connection; the receiver takes it
 * any number of times.
 */
public interface ClientListener {
    /** The process has ended without a goodbye; proven. */
    void onDeath(ProcessId process, String reason);

    /** The process had said goodbye and has ended. */
    void onDeparted(ProcessId process);

    /** This process waits to be admitted to the world, as the next incarnation of its slot. */
    default void onPending(MemberRecord newcomer) {}

    /** No process will come to take the place of this slot's process. */
    default void onNoMore(int slot, String why) {}

    /**
     * This process waited to be admitted, and will not be. {@link OutReason#GONE_ON} and {@link OutReason#CLOSED} are
     * no failures: the world went on, or ended, without it.
     */
    default void onOut(OutReason reason, String text) {}

    /**
     * The world that this process waited for is gone, and with all others that waited it begins a new one, as if they
     * had been started first: no member of the old one runs.
     *
     * @param members in slot order, itself included; some are no first incarnations
     */
    default void onGathered(List<MemberRecord> members) {
        onOut(OutReason.CLOSED, "all processes of the world that this one waited for have ended");
    }

    /** This process must end: the others go on without it. */
    void onFence(String reason);

    /** The job ends with this code. */
    void onAbort(int code, String reason);

    /**
     * The launcher wants to know whom this process waits for: {@link RendezvousClient#tellWaits} with the same number.
     */
    default void onWaitsAsked(long request) {}

    /**
     * J2: the launcher wants to know whether this process is there. {@link RendezvousClient#here} with the same number,
     * once a heartbeat to each complainer is queued.
     */
    default void onAreYouThere(long question, List<ProcessId> complainers) {}

    /**
     * J2: this process has complained of another, which has answered. If nothing was heard of it even now,
     * {@link RendezvousClient#stillNothing} with the same number; else {@link RendezvousClient#heard}.
     */
    default void onDoYouHear(long question, ProcessId process) {}

    /** The process was judged silent and can not be ended now: it counts as failed, though that is not proven. */
    default void onSilenced(ProcessId process, String reason) {}

    /** The launcher cannot be reached any more. Told once, and then nothing more comes. */
    void onLauncherLost(String reason);
}
