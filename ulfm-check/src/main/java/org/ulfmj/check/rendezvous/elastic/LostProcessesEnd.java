package org.ulfmj.check.rendezvous.elastic;

import java.util.List;
import java.util.Map;
import org.ulfmj.sim.Invariant;
import org.ulfmj.transport.MemberRecord;

/**
 * At rest no process that was lost with its host lives on a host that is reached, and each process that runs in a world
 * knows which members of that world have ended.
 */
record LostProcessesEnd(HostedLauncher launcher, Map<Integer, LauncherApplicant> byNode, HostsReached hosts)
        implements Invariant {
    @Override
    public String open() {
        for (LauncherApplicant one : byNode.values()) {
            boolean isLost = launcher.hasLost(one.node()) && one.process().isRunning();
            if (isLost && hosts.isReached(one.host())) {
                return one.process() + " was lost, and lives although its agent is heard";
            }
            for (MemberRecord member : one.isRunning() ? one.table() : List.<MemberRecord>of()) {
                boolean isOver = !byNode.get((int) member.nonce()).process().isRunning();
                if (isOver && !one.knowsDead(member.id())) {
                    return one.process() + " does not know that " + member.id() + " is dead";
                }
            }
        }
        return null;
    }
}
