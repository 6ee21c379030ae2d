package org.ulfmj.launch.agent;

import org.ulfmj.launch.process.RankProcess;

/** Handles the news of the agent of one host. On the line's thread. */
final class HostNews implements AgentNews.Handler {
    private final RemoteHost host;
    private final HostStates states;
    private final RemoteEnds ends;
    private final Agents.Events events;

    HostNews(RemoteHost host, HostStates states, RemoteEnds ends, Agents.Events events) {
        this.host = host;
        this.states = states;
        this.ends = ends;
        this.events = events;
    }

    private RemoteProcess remote(int number) {
        return RemoteHost.of(host.find(number));
    }

    @Override
    public void onReady(AgentNews.Ready ready) {
        states.ready(host, ready.launcher());
    }

    @Override
    public void onUnable(AgentNews.Unable unable) {
        states.lost(host, unable.why());
    }

    @Override
    public void onAlive(AgentNews.Alive alive) {
        // Every message says that.
    }

    @Override
    public void onTerminating(AgentNews.Terminating terminating) {
        states.terminating(host);
    }

    @Override
    public void onStarted(AgentNews.Started started) {
        remote(started.number()).started(started.pid());
    }

    @Override
    public void onNotStarted(AgentNews.NotStarted not) {
        ends.notStarted(host, host.find(not.number()), not.why());
    }

    @Override
    public void onDied(AgentNews.Died died) {
        ends.died(host.find(died.number()), died.exitCode());
    }

    @Override
    public void onEnded(AgentNews.Ended ended) {
        ends.ended(host.find(ended.number()), ended.exitCode());
    }

    @Override
    public void onUnreaped(AgentNews.Unreaped unreaped) {
        events.unreaped(host.find(unreaped.number()));
    }

    @Override
    public void onLooked(AgentNews.Looked looked) {
        RankProcess process = host.find(looked.number());
        RemoteHost.of(process).looked(looked.state());
        events.looked(process, looked.state(), looked.isKillPending());
    }

    @Override
    public void onCoreWaited(AgentNews.CoreWaited waited) {
        events.onCoreWaited(waited.process(), waited.question(), waited.waitedNs());
    }

    @Override
    public void onOutput(AgentNews.Output output) {
        remote(output.number()).output(output.isOut(), output.bytes());
    }

    @Override
    public void onInputRead(AgentNews.InputRead read) {
        remote(read.number()).inputRead(read.bytes());
    }

    @Override
    public void onInputClosed(AgentNews.InputClosed closed) {
        remote(closed.number()).inputClosed();
    }

    @Override
    public void onLeft(AgentNews.Left left) {
        states.left(host);
    }
}
