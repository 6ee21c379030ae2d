package org.ulfmj.check.rendezvous.hosts;

import org.ulfmj.rendezvous.lease.HeldLease;

/**
 * The agent of a simulated host. It holds a lease as its ranks do; when the agent ends, its guardian ends the ranks of
 * the host.
 */
final class HostAgent {
    final int host;
    HeldLease lease = newLease();
    boolean isUp = true;
    boolean wasReplaced;

    HostAgent(int host) {
        this.host = host;
    }

    private static HeldLease newLease() {
        return new HeldLease(HostsJob.LEASE);
    }

    void replace() {
        lease = newLease();
        isUp = true;
        wasReplaced = true;
    }
}
