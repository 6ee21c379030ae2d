package org.ulfmj.rendezvous;

import org.ulfmj.protocol.ProcessId;

/**
 * What a rank hears from the launcher. The same news may come again after a broken connection; the receiver takes it any
 * number of times.
 */
public interface ClientListener {
    /** The process has ended without a goodbye; proven. */
    void onDeath(ProcessId process, String reason);

    /** The process had said goodbye and has ended. */
    void onDeparted(ProcessId process);

    /** This process must end: the others go on without it. */
    void onFence(String reason);

    /** The job ends with this code. */
    void onAbort(int code, String reason);

    /** The launcher wants to know whom this process waits for: {@link RendezvousClient#tellWaits} with the same number. */
    default void onWaitsAsked(long request) {}

    /** The launcher cannot be reached any more. Told once, and then nothing more comes. */
    void onLauncherLost(String reason);
}
