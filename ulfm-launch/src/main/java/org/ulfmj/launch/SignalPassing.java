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
        String but = left.isEmpty()
                ? ""
                : ", but not to rank " + String.join(", ", left)
                        + ", which is not in MPI: its Java virtual machine would end by it";
        report.say("got SIG" + name + " and passed it on" + but);
    }
}
