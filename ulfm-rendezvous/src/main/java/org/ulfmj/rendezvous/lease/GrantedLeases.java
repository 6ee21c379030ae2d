package org.ulfmj.rendezvous.lease;

import java.util.SortedMap;
import java.util.TreeMap;
import org.ulfmj.protocol.ProcessId;

/**
 * V15: the leases of all processes as the coordinator counts them: from when a keep-alive came, and for a fifth of the
 * lease longer than their holders do, which covers clocks that run at different speeds and the time that a holder takes
 * to end itself. Once the coordinator has acted on the end of a lease it must not answer the process again.
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

    /** After how long without a keep-alive a lease is over here. */
    public static long countedNs(long leaseNs) {
        return leaseNs + leaseNs / PARTS_LONGER;
    }

    /** A keep-alive of the process has come, which is to be answered. */
    public void renew(ProcessId process, long nowNs) {
        fromNs.put(process, nowNs);
    }

    /** The process is lost. If no keep-alive of it ever came, its lease began before now all the same. */
    public void begin(ProcessId process, long nowNs) {
        fromNs.putIfAbsent(process, nowNs);
    }

    /** Whether the process has fenced itself, or does so before any other step. False if it never had a lease. */
    public boolean isOver(ProcessId process, long nowNs) {
        Long from = fromNs.get(process);
        return from != null && nowNs - from >= countedNs(leaseNs);
    }

    /** The end of the process is proven. */
    public void forget(ProcessId process) {
        fromNs.remove(process);
    }
}
