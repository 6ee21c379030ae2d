package org.ulfmj.launch;

import java.util.Set;
import java.util.TreeSet;
import org.ulfmj.launch.output.Report;
import org.ulfmj.launch.process.RankProcess;

/**
 * Ends processes that were judged silent or hung: each that has neither ended nor finalized gets SIGKILL, and its end
 * is then handled like any other. A process that SIGKILL does not end, or that is dead and cannot be reaped, is not
 * waited for any longer. Used by the launcher's main thread.
 */
final class Verdicts {
    private final Processes processes;
    private final JobLedger ledger;
    private final Report report;

    /**
     * The names of the processes whose verdict the user was told. The same verdict comes again until the process's end
     * is proven.
     */
    private final Set<String> told = new TreeSet<>();

    Verdicts(Processes processes, JobLedger ledger, Report report) {
        this.processes = processes;
        this.ledger = ledger;
        this.report = report;
    }

    /**
     * Kills a process that was judged silent or hung; does nothing if it has ended or finalized.
     *
     * @param process null if it has ended meanwhile
     */
    void silent(RankProcess process, String reason) {
        if (process == null || process.hasEnded() || process.id() != null && ledger.hasFinalized(process.id())) {
            return; // in the last case the process has woken and said goodbye before its verdict was carried out
        }
        if (told.add(process.name())) {
            report.say(process.title() + " " + reason + " and is ended");
        }
        process.condemn();
        processes.kill(process);
    }

    /**
     * Stops waiting for a process that SIGKILL does not end.
     *
     * @param process null if it has ended meanwhile
     */
    void givenUp(RankProcess process, String reason) {
        if (process == null || process.hasEnded()) {
            return;
        }
        report.say(process.title() + " " + reason + "; SIGKILL waits for it and does not end it (pid " + process.pid()
                + "), and mpiexec does not wait for it any longer");
        processes.giveUp(process);
        if (process.id() != null) {
            ledger.givenUp(process.id());
        }
    }

    /** Stops waiting for a process that is dead but cannot be reaped, since a thread of it waits for a disk. */
    void unreaped(RankProcess process) {
        if (process.hasEnded()) {
            return;
        }
        report.say(process.title() + " is dead, but a thread of it waits for a disk and does not end (pid "
                + process.pid() + "); mpiexec does not wait for it any longer");
        processes.giveUp(process);
        if (process.id() != null) {
            ledger.givenUp(process.id());
        }
    }
}
