package org.ulfmj.launch.agent;

import org.ulfmj.launch.process.RankProcess;

/** The ends of processes on other hosts, each told once. On the line's thread. */
final class RemoteEnds {
    /** What the shell says of a process that SIGKILL has ended. */
    private static final int KILLED = 137;

    private static final int NOT_STARTED = 127;

    private final Agents.Events events;

    RemoteEnds(Agents.Events events) {
        this.events = events;
    }

    void notStarted(RemoteHost host, RankProcess process, String why) {
        RemoteHost.of(process).endStreams();
        events.onNotStarted(process, host.name(), why);
        ended(process, NOT_STARTED);
    }

    /** The process is dead and was not reaped yet. */
    void died(RankProcess process, int exitCode) {
        if (RemoteHost.of(process).died()) {
            events.died(process, exitCode);
        }
    }

    /** The process was reaped. */
    void ended(RankProcess process, int exitCode) {
        died(process, exitCode);
        if (RemoteHost.of(process).ended(exitCode)) {
            events.ended(process, exitCode);
        }
    }

    /** No process of the host that was started before now is left. */
    void allEnded(RemoteHost host) {
        for (RankProcess process : host.all()) {
            ended(process, KILLED);
            RemoteHost.of(process).endStreams();
        }
    }
}
