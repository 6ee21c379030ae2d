package org.ulfmj.launch.agent;

import java.util.ArrayList;
import java.util.List;
import org.ulfmj.runtime.inject.HostChoice;
import org.ulfmj.runtime.inject.HostNames;
import org.ulfmj.transport.tcp.LinkFault;
import org.ulfmj.transport.tcp.SlotEnds;

/**
 * Carries out faults of a fault plan on agents and on the lines to them, for tests. All cuts are made at the launcher's
 * end; a cut of the launcher's messages only is made at the agent's end too. On the line's thread.
 */
final class AgentFaults {
    /**
     * A cut between the launcher and a host's agent.
     *
     * @param isUnheard whether the launcher gets nothing from the agent
     * @param isUnreached whether the agent gets nothing from the launcher
     * @param untilNs when the cut ends; {@link Long#MAX_VALUE} for never during the job
     */
    private record Cut(int host, boolean isUnheard, boolean isUnreached, long untilNs) {
        LinkFault from(long nowNs) {
            int from = isUnheard ? host + 1 : AgentLine.LAUNCHER;
            int to = isUnheard ? AgentLine.LAUNCHER : host + 1;
            long endNs = untilNs == Long.MAX_VALUE ? Long.MAX_VALUE : untilNs - nowNs;
            return LinkFault.cut(new SlotEnds(from, to, isUnheard && isUnreached), 0, endNs);
        }
    }

    /** The remote hosts, by index; null at the index of the launcher's own host. */
    private final List<RemoteHost> hosts;

    private final AgentLine line;
    private final List<Cut> cuts = new ArrayList<>();

    AgentFaults(List<RemoteHost> hosts, AgentLine line) {
        this.hosts = hosts;
        this.line = line;
    }

    void kill(int host) {
        line.send(hosts.get(host).agent(), new AgentOrder.Kill());
    }

    /**
     * Cuts the agents off that the partition separates from the launcher.
     *
     * @param durationNs for how long; 0 for as long as the job runs
     */
    void partition(HostChoice partition, long durationNs, long nowNs) {
        long untilNs = durationNs == 0 ? Long.MAX_VALUE : nowNs + durationNs;
        for (RemoteHost host : hosts) {
            if (host == null) {
                continue;
            }
            String word = Integer.toString(host.index);
            Cut cut = new Cut(host.index, partition.cuts(word, launcher()), partition.cuts(launcher(), word), untilNs);
            if (cut.isUnheard || cut.isUnreached) {
                cuts.add(cut);
            }
            if (cut.isUnreached && !cut.isUnheard) {
                // In this direction the cut must happen at the agent, which reads the existing connection; this end
                // alone could refuse only new connections.
                line.send(host.agent(), new AgentOrder.Deafen(durationNs));
            }
        }
        List<LinkFault> faults = new ArrayList<>();
        for (Cut cut : cuts) {
            if (cut.untilNs == Long.MAX_VALUE || cut.untilNs - nowNs > 0) {
                faults.add(cut.from(nowNs));
            }
        }
        line.inject(faults);
    }

    private String launcher() {
        int here = hosts.indexOf(null);
        return here < 0 ? HostNames.LAUNCHER : Integer.toString(here);
    }
}
