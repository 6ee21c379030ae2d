package org.ulfmj.rendezvous.lease;

import java.util.SortedMap;
import java.util.TreeMap;
import org.ulfmj.protocol.ProcessId;

/**
 * V15: the leases of all processes as the coordinator counts them: from the arrival of a keep-alive, and for a fifth of
 * the lease longer than their holders count. That covers clocks that run at different speeds and the time that a holder
 * takes to end itself. Once the coordinator has acted on the end of a lease it must not answer the process again.
 *
 * <p>Pure, not thread-safe.
 */
public final class GrantedLeases {
    private static final int PARTS_LONGER = 5;

    private final long leaseNs;
    private final SortedMap<ProcessId, Long> fromNs = new TreeMap<>();

    public GrantedLeases(long leaseNs) {
        if (leaseNs <= 0) {
            throw new IllegalArgumentException("a lease of " + leaseNs + " ns");
        }
        this.leaseNs = leaseNs;
    }

    /** For how long after the last keep-alive a lease lasts for the coordinator. */
    public static long countedNs(long leaseNs) {
        return leaseNs + leaseNs / PARTS_LONGER;
    }

    /** Notes that a keep-alive of the process has arrived, which the caller answers. */
    public void renew(ProcessId process, long nowNs) {
        fromNs.put(process, nowNs);
    }

    /**
     * Begins a lease, if there is none, for a process that was lost: even if no keep-alive of it ever arrived, its
     * lease began before now.
     */
    public void begin(ProcessId process, long nowNs) {
        fromNs.putIfAbsent(process, nowNs);
    }

    /**
     * Whether the lease of a process has ended as the coordinator counts it. False if the process has no lease here.
     */
    public boolean isOver(ProcessId process, long nowNs) {
        Long from = fromNs.get(process);
        return from != null && nowNs - from >= countedNs(leaseNs);
    }

    /** The end of the process is proven. */
    public void forget(ProcessId process) {
        fromNs.remove(process);
    }
}
