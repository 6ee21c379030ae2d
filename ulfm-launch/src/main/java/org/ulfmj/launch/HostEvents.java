package org.ulfmj.launch;

import java.util.function.Supplier;
import org.ulfmj.launch.agent.Agents;
import org.ulfmj.launch.event.JobEvent;
import org.ulfmj.launch.event.JobEvents;
import org.ulfmj.launch.host.DeathWatch;
import org.ulfmj.launch.process.RankProcess;
import org.ulfmj.protocol.ProcessId;

/**
 * Passes on what the agents of other hosts tell: to the queue of the job's events or to the meeting point. The ends and
 * states of processes that they find are handled like the findings of the launcher's own host.
 */
final class HostEvents implements Agents.Events {
    private final DeathWatch.Findings findings;
    private final JobEvents events;
    private final Supplier<MeetingPoint> meeting;

    /** @param meeting gives the meeting point, which exists before any agent is started */
    HostEvents(DeathWatch.Findings findings, JobEvents events, Supplier<MeetingPoint> meeting) {
        this.findings = findings;
        this.events = events;
        this.meeting = meeting;
    }

    @Override
    public void onAgentHeard(int host) {
        meeting.get().agentHeard(host);
    }

    @Override
    public void onAgentLost(int host) {
        meeting.get().agentLost(host);
    }

    @Override
    public void onAgentSilent(int host, String why, boolean isForTwo) {
        events.accept(new JobEvent.AgentSilent(host, why, isForTwo));
    }

    @Override
    public void onCoreWaited(ProcessId process, long question, long waitedNs) {
        meeting.get().coreWaited(process, question, waitedNs);
    }

    @Override
    public void onProven(ProcessId process) {
        meeting.get().proven(process);
    }

    @Override
    public void onReady(String address) {
        events.accept(new JobEvent.HostsReady(address));
    }

    @Override
    public void onFailed(String host, String why) {
        events.accept(new JobEvent.HostFailed(host, why));
    }

    @Override
    public void onUsable(int host, String address) {
        events.accept(new JobEvent.HostUsable(host, address));
    }

    @Override
    public void onUnusable(int host, String why) {
        events.accept(new JobEvent.HostUnusable(host, why));
    }

    @Override
    public void onNotice(String line) {
        events.accept(new JobEvent.HostNotice(line));
    }

    @Override
    public void onNotStarted(RankProcess process, String host, String why) {
        events.accept(new JobEvent.NotStarted(process, host, why));
    }

    @Override
    public void died(RankProcess process, int exitCode) {
        findings.died(process, exitCode);
    }

    @Override
    public void ended(RankProcess process, int exitCode) {
        findings.ended(process, exitCode);
    }

    @Override
    public void unreaped(RankProcess process) {
        findings.unreaped(process);
    }

    @Override
    public void looked(RankProcess process, char state, boolean isKillPending) {
        findings.looked(process, state, isKillPending);
    }
}
