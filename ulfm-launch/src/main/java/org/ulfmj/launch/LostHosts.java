package org.ulfmj.launch;

import java.util.ArrayList;
import java.util.List;
import org.ulfmj.launch.agent.Agents;
import org.ulfmj.launch.event.JobEvent;
import org.ulfmj.launch.output.Report;
import org.ulfmj.launch.process.RankProcess;
import org.ulfmj.protocol.ProcessId;

/**
 * J4 and V15 in the launcher: what becomes of hosts of which nothing is heard, and of their processes. Used by the
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
     * @param hasLeases whether processes end themselves when they do not hear the launcher
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
     * The ranks hold the processes of a host for failed. None is started there until its agent is heard, and no spare
     * that is there gets a place.
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

    /** Titles of processes in one text; a word that all of them begin with stands in front of them. */
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

    /** The process counts as ended, and another one may take its place. */
    void leaseOver(ProcessId id, MeetingPoint meeting) {
        RankProcess process = processes.find(id);
        if (process != null) {
            agents.presumeEnded(process);
        } else {
            // Its agent has told of its end meanwhile.
            meeting.proven(id);
        }
    }

    /**
     * J3: a host has lost its path to another one, and its processes are ended. The judge has those ended that it
     * knows; one that starts still has not joined, and would wait for a welcome over the lost path.
     *
     * @param host -1 for the launcher's own, where no process starts that has not been told to the judge by then
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

    /** The judge wants to know whether a process is silent only because others have the cores of its host. */
    void askCoreWaits(ProcessId id, long pid, long question, MeetingPoint meeting) {
        RankProcess process = processes.find(id);
        if (process == null) {
            meeting.coreWaited(id, question, 0);
        } else {
            agents.askCoreWaits(process, pid, question);
        }
    }

    /** The judge wants a process ended that the launcher took for ended: its host is heard again. */
    void endPresumed(ProcessId process) {
        agents.endPresumed(process);
    }

    /**
     * A host has had no agent for longer than a lease. The host is given up once none of its processes can be in the
     * program. Those that can, newcomers among them, have to end: nothing but an agent can tell of their ends. What has
     * said goodbye, or has left, takes part in nothing any more; nor does any process while there is no world, as it
     * adopts none that lacks it. After another lease none is left that can run.
     *
     * <p>With a majority asked for, the judge counts first whether the launcher's side may go on without the host:
     * until it holds the host for lost, its processes are not given up.
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
