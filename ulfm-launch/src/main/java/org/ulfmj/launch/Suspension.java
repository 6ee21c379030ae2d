package org.ulfmj.launch;

import java.util.concurrent.atomic.AtomicLong;

/**
 * ^Z and {@code fg}: SIGTSTP to the launcher stops the ranks, which are in sessions of their own and hear nothing of it, and
 * then the launcher itself, as a shell expects. SIGCONT continues the ranks first. Used by the launcher's main thread, but for
 * {@link #onSignal}.
 */
final class Suspension {
    static final String STOP = "TSTP";
    static final String CONTINUE = "CONT";

    private final Processes processes;
    private final Report report;
    private final Runnable onContinued;
    private final AtomicLong continued = new AtomicLong();
    private boolean isSuspended;

    /** @param onContinued called when the ranks run again, or the launcher was stopped and continued without them */
    Suspension(Processes processes, Report report, Runnable onContinued) {
        this.processes = processes;
        this.report = report;
        this.onContinued = onContinued;
    }

    /** The event of a signal that came. On the thread of the handler. */
    JobEvent onSignal(String name) {
        return name.equals(STOP)
                ? new JobEvent.StopAsked(continued.get())
                : new JobEvent.Continued(continued.incrementAndGet());
    }

    /** @param continuedBefore how often the launcher had been continued when it was asked to stop */
    void stop(long continuedBefore) {
        isSuspended = true;
        report.detail("stopping the ranks");
        processes.signal("STOP");
        // A SIGCONT that was meant for this stop may have overtaken it, and no other one would come.
        if (continued.get() == continuedBefore) {
            SignalSender.stopThisProcess();
        }
    }

    void goOn() {
        if (isSuspended) {
            isSuspended = false;
            processes.signal("CONT");
            report.detail("the ranks run again");
        }
        onContinued.run();
    }
}
