package org.ulfmj.launch;

import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import org.ulfmj.launch.event.JobEvent;
import org.ulfmj.launch.output.Report;
import org.ulfmj.launch.process.JobControl;
import org.ulfmj.launch.process.SignalSender;
import org.ulfmj.transport.host.ProcessStat;

/**
 * ^Z and {@code fg}: SIGTSTP to the launcher stops the ranks, which are in other sessions and do not get the signal,
 * and then the launcher itself, as a shell expects. SIGCONT continues the ranks first. Where no shell could continue
 * the job, nothing is stopped, as POSIX has it. Used by the launcher's main thread, but for {@link #onSignal}.
 */
final class Suspension {
    /** Is told of stops, on the thread that uses the {@link Suspension}. */
    interface Listener {
        /** The ranks are about to be stopped. */
        void stopping();

        /** Whether processes run on hosts that would be given up while the launcher is stopped. */
        boolean hasOtherHosts();

        /** Whether a process that is not stopped, as another launcher starts it, may coordinate the job. */
        boolean mayBeCoordinatedElsewhere();

        /** The ranks run again, or the launcher was stopped and continued without them. */
        void continued();
    }

    static final String STOP = "TSTP";
    static final String CONTINUE = "CONT";

    private final Processes processes;
    private final Report report;
    private final Listener listener;
    private final AtomicLong continued = new AtomicLong();
    private boolean isSuspended;

    Suspension(Processes processes, Report report, Listener listener) {
        this.processes = processes;
        this.report = report;
        this.listener = listener;
    }

    /** Returns the event for a signal that came. Called on the thread of the signal handler. */
    JobEvent onSignal(String name) {
        return name.equals(STOP)
                ? new JobEvent.StopAsked(continued.get())
                : new JobEvent.Continued(continued.incrementAndGet());
    }

    /** @param continuedBefore how often the launcher had been continued when it was asked to stop */
    void stop(long continuedBefore) {
        if (listener.hasOtherHosts()) {
            report.say("got SIG" + STOP + ", and other hosts would be given up while mpiexec is stopped; it goes on");
            return;
        }
        if (listener.mayBeCoordinatedElsewhere()) {
            report.say("got SIG" + STOP + ", and a process that joins meanwhile would take the office and end what is"
                    + " stopped; it goes on");
            return;
        }
        if (!JobControl.canBeContinued(
                Path.of(ProcessStat.PROC), ProcessHandle.current().pid())) {
            report.say("got SIG" + STOP
                    + ", and there is no shell with job control that could continue the job; it goes on");
            return;
        }
        listener.stopping();
        isSuspended = true;
        report.detail("stopping the ranks");
        processes.signal("STOP");
        // A SIGCONT that was meant for this stop may have come before it. No other SIGCONT would come then, so the
        // launcher does not stop.
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
        listener.continued();
    }
}
