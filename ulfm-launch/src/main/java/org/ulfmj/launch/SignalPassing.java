package org.ulfmj.launch;

import java.util.ArrayList;
import java.util.List;
import org.ulfmj.launch.command.LaunchRequest;
import org.ulfmj.launch.output.Report;
import org.ulfmj.launch.process.RankProcess;
import org.ulfmj.launch.process.SignalSender;
import org.ulfmj.protocol.ProcessId;

/**
 * Passes a signal that the launcher got on to the processes. A rank that is in MPI gets it as a message of the
 * rendezvous, since the signal itself could end its virtual machine. A virtual machine that is not in MPI gets nothing.
 * All other processes get the signal itself. Spares get nothing. Used by the launcher's main thread.
 */
final class SignalPassing {
    private final LaunchRequest request;
    private final Processes processes;
    private final JobLedger ledger;
    private final MeetingPoint meeting;
    private final Report report;

    SignalPassing(LaunchRequest request, Processes processes, JobLedger ledger, MeetingPoint meeting, Report report) {
        this.request = request;
        this.processes = processes;
        this.ledger = ledger;
        this.meeting = meeting;
        this.report = report;
    }

    /** @param name without SIG */
    void pass(String name) {
        List<RankProcess> others = new ArrayList<>();
        List<String> left = new ArrayList<>();
        for (RankProcess process : processes.running()) {
            ProcessId id = process.id();
            if (id == null) {
                continue;
            }
            if (ledger.isFormed() && ledger.hasJoined(id) && !ledger.hasFinalized(id)) {
                meeting.signal(id, name);
            } else if (request.command(id).isJava()) {
                left.add(process.name());
            } else {
                others.add(process);
            }
        }
        SignalSender.sendAlone(name, others);
        report.say("got SIG" + name + " and passed it on" + exception(left));
    }

    /** The part of the report that names the ranks which did not get the signal; empty if there are none. */
    static String exception(List<String> left) {
        if (left.isEmpty()) {
            return "";
        }
        boolean isOne = left.size() == 1;
        return (isOne ? ", but not to rank " : ", but not to ranks ")
                + String.join(", ", left)
                + (isOne
                        ? ", which is not in MPI: its Java virtual machine would end by it"
                        : ", which are not in MPI: their Java virtual machines would end by it");
    }
}
