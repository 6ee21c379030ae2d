package org.ulfmj.launch;

import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.ulfmj.launch.end.EndReason;
import org.ulfmj.launch.event.JobEvent;
import org.ulfmj.launch.event.JobEvents;

/**
 * The wait, at the end of a job, for a limited time, until each other host that can be reached has said that no process
 * of the job is left there. After a moment the user is told which hosts are waited for. A signal ends the wait at once:
 * agents that have lost their launcher end all processes too, once the lease is over, unless the processes may go on as
 * orphans. Used by the launcher's main thread.
 */
final class LastHosts {
    private static final long MOST_NS = 15_000_000_000L;
    private static final long MOST_HURRIED_NS = 1_000_000_000L;
    private static final long SILENT_NS = 1_500_000_000L;
    private static final long LOOK_NS = 10_000_000;

    private final Supplier<List<String>> hosts;
    private final JobEvents events;
    private final Suspension suspension;
    private final Consumer<String> report;

    /**
     * @param hosts gives the names of the hosts that are still waited for
     * @param report takes lines for the user
     */
    LastHosts(Supplier<List<String>> hosts, JobEvents events, Suspension suspension, Consumer<String> report) {
        this.hosts = hosts;
        this.events = events;
        this.suspension = suspension;
        this.report = report;
    }

    /**
     * Waits for the hosts for a limited time. Returns the signal that has ended the wait, as a reason to end the job;
     * null if no signal came.
     *
     * @param isHurried whether a signal has come while the job was already being ended: then the wait takes a second at
     *     most
     */
    EndReason await(boolean isHurried) {
        long mostNs = isHurried ? MOST_HURRIED_NS : MOST_NS;
        long beganNs = System.nanoTime();
        boolean isTold = false;
        for (List<String> left = hosts.get(); !left.isEmpty(); left = hosts.get()) {
            long waitedNs = System.nanoTime() - beganNs;
            if (waitedNs >= mostNs) {
                tellLeft(left);
                return null;
            }
            if (waitedNs >= SILENT_NS && !isTold) {
                isTold = true;
                report.accept("waiting for " + names(left) + " to say that nothing is left there of the job, for at"
                        + " most " + MOST_NS / 1_000_000_000 + " s; a signal ends the wait");
            }
            JobEvent event = events.take(LOOK_NS);
            if (event instanceof JobEvent.Signalled signalled) {
                tellLeft(hosts.get());
                return EndReason.signalled(signalled.name());
            } else if (event instanceof JobEvent.StopAsked asked) {
                suspension.stop(asked.continued());
            } else if (event instanceof JobEvent.Continued) {
                suspension.goOn();
            } else if (event instanceof JobEvent.HostNotice notice) {
                report.accept(notice.line());
            }
        }
        return null;
    }

    private void tellLeft(List<String> left) {
        if (left.isEmpty()) {
            return;
        }
        report.accept(names(left)
                + (left.size() == 1
                        ? " has not said that nothing is left there of the job"
                        : " have not said that nothing is left there of the job"));
    }

    private static String names(List<String> hosts) {
        return (hosts.size() == 1 ? "host " : "hosts ") + String.join(", ", hosts);
    }
}
