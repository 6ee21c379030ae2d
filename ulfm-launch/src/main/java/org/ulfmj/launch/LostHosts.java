package org.ulfmj.launch;

import java.util.ArrayList;
import java.util.List;
import org.ulfmj.launch.agent.Agents;
import org.ulfmj.launch.event.JobEvent;
import org.ulfmj.launch.output.Report;
import org.ulfmj.launch.process.RankProcess;
import org.ulfmj.protocol.ProcessId;

/**
 * J4 and V15 in the launcher: what happens to hosts from which nothing is heard, and to their processes. Used by the
 * launcher's main thread, in a job on several hosts.
 */
final class LostHosts {
    private final Agents agents;
    private final Processes processes;
    private final JobLedger ledger;
    private final Starter starter;
    private final Report report;
    private final boolean hasLeases;
    private final boolean needsMajority;

    /**
     * @param hasLeases whether processes end themselves if they do not hear from the launcher
     * @param needsMajority whether a majority of the members may go on without the launcher
     */
    LostHosts(
            Agents agents,
            Processes processes,
            JobLedger ledger,
            Starter starter,
            Report report,
            boolean hasLeases,
            boolean needsMajority) {
        this.agents = agents;
        this.processes = processes;
        this.ledger = ledger;
        this.starter = starter;
        this.report = report;
        this.hasLeases = hasLeases;
        this.needsMajority = needsMajority;
    }

    /**
     * Notes that a host is lost and its processes are marked failed by the ranks. No process is started there until its
     * agent is heard again, and no spare there gets a place.
     */
    void lost(int host, List<ProcessId> lost) {
        agents.lost(host);
        List<String> ranks = new ArrayList<>();
        for (ProcessId process : lost) {
            starter.spareLost(process.slot() - ledger.size());
            if (processes.find(process) != null) {
                ranks.add(ledger.title(process));
            }
        }
        String held = ranks.isEmpty() ? "" : "; held for failed with it: " + listed(ranks);
        report.say("nothing is heard of host " + agents.name(host) + held);
    }

    /**
     * Joins the titles of processes into one text; if all begin with the same word, that word is written only once, in
     * front.
     */
    static String listed(List<String> titles) {
        String first = titles.get(0);
        String word = first.substring(0, first.indexOf(' ') + 1);
        boolean isOfAll = titles.size() > 1 && titles.stream().allMatch(title -> title.startsWith(word));
        if (!isOfAll) {
            return String.join(", ", titles);
        }
        List<String> rest =
                titles.stream().map(title -> title.substring(word.length())).toList();
        return word.trim() + (word.startsWith("process") ? "es " : "s ") + String.join(", ", rest);
    }

    /**
     * Called when the lease of a lost host's process is over: the process counts as ended, and another one may take its
     * place.
     */
    void leaseOver(ProcessId id, MeetingPoint meeting) {
        RankProcess process = processes.find(id);
        if (process != null) {
            agents.presumeEnded(process);
        } else {
            // The process's agent has told meanwhile that it has ended.
            meeting.proven(id);
        }
    }

    /**
     * J3: handles that a host has lost its network path to another one, and that its processes are to be ended. The
     * judge of silences has those ended that it knows. This method ends those that are still starting: they have not
     * joined, and would wait for a welcome over the lost path.
     *
     * @param host the host; -1 for the launcher's own, on which this method ends none
     */
    void cutOff(int host) {
        for (RankProcess process :
                host < 0 || agents.isHere(host) ? List.<RankProcess>of() : agents.processesOf(host)) {
            ProcessId id = process.id();
            if (id != null && !process.hasEnded() && !ledger.hasJoined(id)) {
                process.process().destroyForcibly();
            }
        }
    }

    /**
     * Answers the judge of silences, which asks whether a process is silent only because others have the cores of its
     * host: asks the process's agent; the answer is 0 ns if the process does not run any more.
     */
    void askCoreWaits(ProcessId id, long pid, long question, MeetingPoint meeting) {
        RankProcess process = processes.find(id);
        if (process == null) {
            meeting.coreWaited(id, question, 0);
        } else {
            agents.askCoreWaits(process, pid, question);
        }
    }

    /**
     * Ends a process that the launcher had taken for ended, as the judge of silences wants: its host is heard again.
     */
    void endPresumed(ProcessId process) {
        agents.endPresumed(process);
    }

    /**
     * Handles that a host has had no agent for longer than a lease. The host is given up once none of its processes can
     * be in the program. Those that may be, newcomers among them, are told to end, but nothing except an agent could
     * report their ends. A process that has said goodbye or has left does not count. Nor does any process in a job
     * without leases; nor while there is no world, since it takes part in no world that does not list it. After another
     * lease no process there can be running any more.
     *
     * <p>If a majority is asked for and a world runs, the judge of silences first counts whether the launcher's side
     * may go on without the host: until the judge holds the host for lost, or a second lease is over, nothing is done.
     */
    void agentSilent(JobEvent.AgentSilent silent, MeetingPoint meeting) {
        if (needsMajority && ledger.isFormed() && !agents.isLost(silent.host()) && !silent.isForTwo()) {
            return;
        }
        String name = agents.name(silent.host());
        boolean mayBeLeft = hasLeases && ledger.isFormed() && !silent.isForTwo();
        boolean isLeft = false;
        for (RankProcess process : agents.processesOf(silent.host())) {
            ProcessId id = process.id();
            if (mayBeLeft && id != null && !process.hasEnded() && ledger.mayTakePart(id)) {
                isLeft = true;
                meeting.fence(id, "its host " + name + " has no agent (" + silent.why() + ")");
            }
        }
        if (!isLeft) {
            agents.giveUp(silent.host(), silent.why());
        }
    }
}
