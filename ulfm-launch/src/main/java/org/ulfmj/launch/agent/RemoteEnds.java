package org.ulfmj.launch.agent;

import org.ulfmj.launch.process.RankProcess;

/** The ends of processes on other hosts, each reported once. On the line's thread. */
final class RemoteEnds {
    /** The exit code of a process that ends itself because other members may have gone on without it. */
    private static final int FENCED = 118;

    /** The exit code by which a shell reports that SIGKILL has ended a process. */
    private static final int KILLED = 137;

    private static final int NOT_STARTED = 127;

    private final Agents.Events events;

    RemoteEnds(Agents.Events events) {
        this.events = events;
    }

    void notStarted(RemoteHost host, RankProcess process, String why) {
        RemoteHost.of(process).endStreams();
        events.onNotStarted(process, host.name(), why);
        end(process, NOT_STARTED);
    }

    /**
     * Makes a process count as ended because its lease is over, although no agent has reported its end. If an agent has
     * reported it meanwhile, the end is proven.
     */
    void presume(RankProcess process) {
        RemoteProcess remote = RemoteHost.of(process);
        if (remote.isAlive()) {
            remote.presumeEnded();
            end(process, FENCED);
            remote.endStreams();
        } else {
            events.onProven(process.id());
        }
    }

    /** Handles that a process is dead and not reaped yet. */
    void died(RankProcess process, int exitCode) {
        prove(process);
        tellDeath(process, exitCode);
    }

    private void tellDeath(RankProcess process, int exitCode) {
        if (RemoteHost.of(process).died()) {
            events.died(process, exitCode);
        }
    }

    /** The process was reaped. */
    void ended(RankProcess process, int exitCode) {
        prove(process);
        end(process, exitCode);
    }

    private void prove(RankProcess process) {
        if (RemoteHost.of(process).prove()) {
            events.onProven(process.id());
        }
    }

    private void end(RankProcess process, int exitCode) {
        tellDeath(process, exitCode);
        if (RemoteHost.of(process).ended(exitCode)) {
            events.ended(process, exitCode);
        }
    }

    /** Reports as ended, with exit code 137, every process of the host that was not reported so before. */
    void allEnded(RemoteHost host) {
        for (RankProcess process : host.all()) {
            ended(process, KILLED);
            RemoteHost.of(process).endStreams();
        }
    }
}
