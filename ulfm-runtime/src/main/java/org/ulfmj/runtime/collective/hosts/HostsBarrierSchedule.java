package org.ulfmj.runtime.collective.hosts;

import org.ulfmj.runtime.collective.BarrierSchedule;
import org.ulfmj.runtime.collective.CollectiveSchedule;
import org.ulfmj.runtime.collective.Plan;
import org.ulfmj.runtime.member.HostedRanks;

/**
 * No rank leaves before every rank has entered, with ranks on several hosts: the ranks of a host tell their leader, the
 * leaders do what {@link BarrierSchedule} does, and each leader tells its host.
 */
public final class HostsBarrierSchedule extends CollectiveSchedule {
    private final HostedRanks hosts;

    public HostsBarrierSchedule(HostedRanks hosts) {
        super("barrier");
        this.hosts = hosts;
    }

    @Override
    public boolean waitsForAll() {
        return true;
    }

    @Override
    protected void plan(Plan plan) {
        int host = hosts.hostOf(plan.rank());
        int[] ranks = hosts.ranks(host);
        if (plan.rank() != ranks[0]) {
            plan.signal(ranks[0]);
            plan.awaitSignal(ranks[0]);
            return;
        }
        for (int i = 1; i < ranks.length; i++) {
            plan.awaitSignal(ranks[i]);
        }
        plan.await();
        plan.within(hosts.leaders(), host, new BarrierSchedule());
        for (int i = 1; i < ranks.length; i++) {
            plan.signal(ranks[i]);
        }
    }
}
