package org.ulfmj.launch;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.ulfmj.command.UsageException;
import org.ulfmj.launch.command.ElasticJob;
import org.ulfmj.launch.end.ExitPolicy;
import org.ulfmj.launch.event.JobEvent;
import org.ulfmj.launch.host.DeathWatch;
import org.ulfmj.launch.host.JobReport;
import org.ulfmj.launch.host.JoinLedger;
import org.ulfmj.launch.output.Report;
import org.ulfmj.launch.process.ForeignProcess;
import org.ulfmj.launch.process.RankProcess;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.transport.host.HostProcess;

/**
 * The processes that join an elastic job: those of this launcher, and those of other launchers of this host, which find
 * the job by the file of {@code --report-uri}, or by its URL in etcd. For a process of another launcher, {@code /proc}
 * shows when it has ended. Used by the launcher's main thread.
 */
final class Joiners {
    private final ElasticJob job;
    private final JobLedger ledger;
    private final Processes processes;
    private final DeathWatch watch;
    private final Report report;
    /**
     * The numbers that were given to processes, shared with other launchers; null before {@link #open}, and in a job
     * that no other launcher can join.
     */
    private JoinLedger shared;
    /** The content of the file that this launcher has written for other launchers; null if it has written none. */
    private JobReport written;

    Joiners(ElasticJob job, JobLedger ledger, Processes processes, DeathWatch watch, Report report) {
        this.job = job;
        this.ledger = ledger;
        this.processes = processes;
        this.watch = watch;
        this.report = report;
    }

    /**
     * Lets other launchers find the job: writes a file about it, if one is wanted; if the job's coordinator is elected,
     * writes into etcd instead where the job can be joined.
     *
     * @param own how many processes this launcher starts
     * @param elected the meeting point of a job whose coordinator is elected; null if this launcher alone is the
     *     coordinator
     * @throws UsageException if it cannot be written
     */
    void open(JobReport content, int own, MeetingPoint elected) {
        String file = job.reportFile();
        if (file == null && elected == null) {
            return;
        }
        try {
            shared = new JoinLedger(content.directory());
            shared.create(own);
            if (elected != null) {
                elected.tellPlace(content.place());
                return;
            }
            content.write(Path.of(file));
            written = content;
        } catch (IOException e) {
            throw new UsageException(
                    ExitPolicy.LAUNCHER_FAILED,
                    elected == null
                            ? "--report-uri: cannot write " + file + ": " + e.getMessage()
                            : "--rdzv: cannot note which processes are started: " + e.getMessage());
        }
    }

    /**
     * Takes a number for a process that this launcher starts after its first ones. Returns the number, from 0; -1 while
     * another launcher is taking one, so that this one must try again.
     *
     * @param next the number to take in a job that no other launcher can join
     * @throws IOException if it cannot be noted that the number is given
     */
    int takeNumber(int next) throws IOException {
        if (shared == null) {
            return next;
        }
        JoinLedger.State before = shared.takeNow(1);
        return before == null ? -1 : before.given();
    }

    /** Removes the file when the job has ended, so that no other launcher can join it any more. */
    void close() {
        if (written != null) {
            try {
                written.remove(Path.of(job.reportFile()));
            } catch (IOException e) {
                report.say("--report-uri: cannot remove " + job.reportFile() + ": " + e.getMessage());
            }
        }
    }

    /** Handles that a process has joined. If another launcher has started it, this launcher watches it from now on. */
    void arrived(ProcessId child, HostProcess process) {
        if (ledger.isOwn(child) || ledger.isKnown(child)) {
            return;
        }
        RankProcess foreign = RankProcess.of(child, new ForeignProcess(process));
        foreign.hasNoRank();
        ledger.started(child);
        processes.add(foreign);
        watch.watch(foreign, true);
        report.detail(foreign.name() + " of another mpiexec, pid " + process.pid() + ", has come");
    }

    /**
     * Called when a process has joined or ended. Once no process of this launcher is on its way any more, tells the
     * rendezvous that the world need not wait for further ones.
     */
    void joined(MeetingPoint meeting) {
        if (!ledger.isFormed() && ledger.haveAllOwnJoined()) {
            meeting.endLastCall();
        }
    }

    /** The world has other members now. */
    void membersAre(JobEvent.MembersAre members) {
        ledger.membersAre(members.epoch(), members.slots());
        for (Map.Entry<ProcessId, Integer> each : members.slots().entrySet()) {
            RankProcess process = processes.find(each.getKey());
            if (process != null && !process.name().equals(each.getValue().toString())) {
                report.detail(process.name() + ", pid " + process.pid() + ", is rank " + each.getValue());
                process.hasRank(each.getValue());
            }
        }
        report.detail("the world has " + members.slots().size() + " members in epoch " + members.epoch());
        if (shared != null) {
            try {
                shared.members(members.slots().size());
            } catch (IOException e) {
                report.say("other launchers are not told how large the world is: " + e.getMessage());
            }
        }
    }
}
