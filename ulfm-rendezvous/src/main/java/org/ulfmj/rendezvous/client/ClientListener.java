package org.ulfmj.rendezvous.client;

import java.util.List;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.rendezvous.message.OutReason;
import org.ulfmj.rendezvous.rounds.Joiner;
import org.ulfmj.transport.MemberRecord;

/**
 * The news that a rank gets from the launcher. The same news may come again after a broken connection, and must do no
 * harm then.
 */
public interface ClientListener {
    /** The process has ended without a goodbye, which is proven or follows from its lease, or it has left the job. */
    void onDeath(ProcessId process, String reason);

    /**
     * As {@link #onDeath(ProcessId, String)}, which it calls unless it is overridden, with the nonce of the process.
     *
     * @param nonce the nonce of the process in an elastic world, where two worlds may call two processes by one name
     *     (G10): there the name is not to be used. 0 in a static world
     */
    default void onDeath(ProcessId process, long nonce, String reason) {
        onDeath(process, reason);
    }

    /** The process had said goodbye and has ended. */
    void onDeparted(ProcessId process);

    /**
     * As {@link #onDeath(ProcessId, long, String)}, for a process that had said goodbye; calls
     * {@link #onDeparted(ProcessId)} unless it is overridden.
     */
    default void onDeparted(ProcessId process, long nonce) {
        onDeparted(process);
    }

    /** A newcomer waits to be admitted to the world, as a later incarnation of its slot. */
    default void onPending(MemberRecord newcomer) {}

    /**
     * A process without a slot waits to be admitted, under its provisional name. If it dies before it is admitted, its
     * death is told by that name.
     */
    default void onWaiting(Joiner joiner) {}

    /** No process will come to take the place of the process that had this slot. */
    default void onNoMore(int slot, String why) {}

    /**
     * This process waited to be admitted, and will not be. {@link OutReason#GONE_ON} and {@link OutReason#CLOSED} are
     * no failures: the world went on, or ended, without it.
     */
    default void onOut(OutReason reason, String text) {}

    /**
     * The world that this process waited for is gone: no member of that world runs. This process is a member of a new
     * world, which begins as at the start of the job.
     *
     * @param members in slot order, this process among them; their incarnations may be later than 0
     */
    default void onGathered(List<MemberRecord> members) {
        onOut(OutReason.CLOSED, "all processes of the world that this one waited for have ended");
    }

    /** V15: the launcher has closed the rendezvous while this process runs. The process ends, which is no failure. */
    default void onClosed(String why) {
        onOut(OutReason.CLOSED, why);
    }

    /** This process must end, because the launcher has told it so or has ended its session with the store. */
    void onFence(String reason);

    /**
     * V15: the launcher has not answered for the whole lease and may take this process for dead. This process must not
     * take one more step.
     */
    default void onLeaseOver(String reason) {
        onFence(reason);
    }

    /** The job ends with this code. */
    void onAbort(int code, String reason);

    /**
     * The launcher asks for which processes this process waits. The answer is {@link RendezvousClient#tellWaits} with
     * the same number.
     */
    default void onWaitsAsked(long request) {}

    /**
     * J2: the launcher asks whether this process lives. The receiver calls {@link RendezvousClient#here} with the same
     * number, once a heartbeat to each complainer is queued.
     */
    default void onAreYouThere(long question, List<ProcessId> complainers) {}

    /**
     * J2: this process has complained of another process, which has answered the launcher since. If this process has
     * heard nothing of the other even now, it calls {@link RendezvousClient#stillNothing} with the same number; else
     * {@link RendezvousClient#heard}.
     */
    default void onDoYouHear(long question, ProcessId process) {}

    /**
     * The process was judged silent, and SIGKILL cannot end it now, or it was lost with its host. It counts as failed,
     * though its end is not proven.
     */
    default void onSilenced(ProcessId process, String reason) {}

    /**
     * As {@link #onDeath(ProcessId, long, String)}, for a process that counts as failed without proof; calls
     * {@link #onSilenced(ProcessId, String)} unless it is overridden.
     */
    default void onSilenced(ProcessId process, long nonce, String reason) {
        onSilenced(process, reason);
    }

    /**
     * The launcher got a signal that is meant for the program.
     *
     * @param name the name of the signal without SIG
     */
    default void onSignal(String name) {}

    /** The launcher cannot be reached any more. This is told once, and no other news follows. */
    void onLauncherLost(String reason);
}
