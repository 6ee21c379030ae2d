package org.ulfmj.launch.agent;

import java.util.Iterator;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.transport.host.CoreWaits;

/**
 * Reports to the launcher how long processes of this host wait for a core: a process that does not answer because
 * others have the cores is not silent, and the launcher cannot see that from its own host. Only processes that the
 * launcher asks about are watched. On the thread of the agent's line.
 */
final class CoreWatch {
    private static final int LOOKS_PER_TIMEOUT = 20;
    /** For how many detector timeouts a process is watched after a question. */
    private static final int TIMEOUTS = 3;

    private final CoreWaits waits;
    private final long timeoutNs;
    private final Consumer<AgentMessage> launcher;
    private final Map<ProcessId, Watched> watched = new TreeMap<>();
    private long lookedNs;

    private static final class Watched {
        final AgentOrder.WatchCores order;
        final long untilNs;
        long toldNs;

        Watched(AgentOrder.WatchCores order, long untilNs) {
            this.order = order;
            this.untilNs = untilNs;
        }
    }

    /** @param timeoutNs the failure detector's */
    CoreWatch(CoreWaits waits, long timeoutNs, Consumer<AgentMessage> launcher) {
        this.waits = waits;
        this.timeoutNs = timeoutNs;
        this.launcher = launcher;
    }

    void watch(AgentOrder.WatchCores order, long nowNs) {
        waits.begin(order.process(), order.pid());
        watched.put(order.process(), new Watched(order, nowNs + TIMEOUTS * timeoutNs));
        // This first answer, 0, is sent at once, since the launcher judges no process that its agent does not watch
        // yet.
        launcher.accept(new AgentNews.CoreWaited(order.process(), order.question(), 0));
    }

    void tick(long nowNs) {
        if (watched.isEmpty() || nowNs - lookedNs < timeoutNs / LOOKS_PER_TIMEOUT) {
            return;
        }
        lookedNs = nowNs;
        for (Iterator<Watched> all = watched.values().iterator(); all.hasNext(); ) {
            Watched each = all.next();
            long waitedNs = waits.sinceBegin(each.order.process(), each.order.pid());
            if (waitedNs > each.toldNs) {
                each.toldNs = waitedNs;
                launcher.accept(new AgentNews.CoreWaited(each.order.process(), each.order.question(), waitedNs));
            }
            if (nowNs - each.untilNs >= 0) {
                all.remove();
            }
        }
    }
}
