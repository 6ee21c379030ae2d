package org.ulfmj.launch;

import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import org.ulfmj.launch.event.JobEvent;
import org.ulfmj.launch.output.Report;
import org.ulfmj.launch.process.JobControl;
import org.ulfmj.launch.process.SignalSender;
import org.ulfmj.transport.host.ProcessStat;

/**
 * Implements ^Z and {@code fg}. At SIGTSTP the launcher stops the ranks, which are in other sessions and do not get the
 * signal, and then itself, as a shell expects. At SIGCONT it continues the ranks it had stopped. If no shell could
 * continue the job, nothing is stopped, as POSIX demands; nor in a job that has other hosts or may be coordinated
 * elsewhere. Used by the launcher's main thread, except for {@link #onSignal}.
 */
final class Suspension {
    /** Is told when the ranks are stopped and continued, on the thread that uses the {@link Suspension}. */
    interface Listener {
        /** The ranks are about to be stopped. */
        void stopping();

        /** Whether the job has other hosts: these would be given up while the launcher is stopped. */
        boolean hasOtherHosts();

        /**
         * Whether the job may be coordinated by a process that would not be stopped, such as one of another launcher.
         */
        boolean mayBeCoordinatedElsewhere();

        /** The launcher got SIGCONT; the ranks run again if they were stopped. */
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

    /** Returns the event of the job for SIGTSTP or SIGCONT. Called on the thread of the signal handler. */
    JobEvent onSignal(String name) {
        return name.equals(STOP)
                ? new JobEvent.StopAsked(continued.get())
                : new JobEvent.Continued(continued.incrementAndGet());
    }

    /**
     * Stops the ranks and the launcher if a shell can continue them, and if the job neither has other hosts nor may be
     * coordinated elsewhere; else only tells the user why not.
     *
     * @param continuedBefore how often the launcher had been continued when SIGTSTP came
     */
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
        // If SIGCONT came between SIGTSTP and this line, it was meant for this stop, and no other SIGCONT would come.
        // So the launcher does not stop itself then.
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
