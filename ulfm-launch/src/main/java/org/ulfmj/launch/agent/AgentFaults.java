package org.ulfmj.launch.agent;

import java.util.ArrayList;
import java.util.List;
import org.ulfmj.runtime.inject.HostChoice;
import org.ulfmj.runtime.inject.HostNames;
import org.ulfmj.transport.tcp.LinkFault;
import org.ulfmj.transport.tcp.SlotEnds;

/**
 * The faults of a plan that happen to agents and to the lines to them, for tests. What an agent sends is cut at the
 * launcher's end, and what the launcher sends at the agent's. On the line's thread.
 */
final class AgentFaults {
    /** @param untilNs {@link Long#MAX_VALUE} for as long as the job */
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

    /** @param durationNs 0 for as long as the job */
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
                // A connection that stands is read by the agent; this end alone would refuse only new ones.
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
