package org.ulfmj.runtime.member;

import java.util.Arrays;
import org.ulfmj.protocol.Placement;
import org.ulfmj.protocol.SlotRuns;

/**
 * The ranks of a communicator whose members run on several hosts, by host. Hosts are numbered in the order of their
 * lowest ranks. The lowest rank of a host is its <em>leader</em>. Immutable, and equal at all members.
 */
public final class HostedRanks {
    private final int[] hostOf;
    private final int[][] ranks;
    private final int[] leaders;
    private final boolean isContiguous;

    private HostedRanks(int[] hostOf, int[][] ranks) {
        this.hostOf = hostOf;
        this.ranks = ranks;
        this.leaders = new int[ranks.length];
        boolean follow = true;
        for (int host = 0; host < ranks.length; host++) {
            int[] ofHost = ranks[host];
            leaders[host] = ofHost[0];
            follow &= ofHost[ofHost.length - 1] - ofHost[0] == ofHost.length - 1;
        }
        this.isContiguous = follow;
    }

    /**
     * Returns the ranks of a communicator by host; null if all members are on one host, or no two of them share a host:
     * then hosts make no difference.
     *
     * @param members the members' slots in rank order
     */
    public static HostedRanks of(SlotRuns members, Placement placement) {
        if (placement.isOneHost()) {
            return null;
        }
        int size = members.size();
        int[] hostOf = new int[size];
        int[] numbers = new int[0];
        int[] counts = new int[size];
        int hosts = 0;
        for (int rank = 0; rank < size; rank++) {
            int host = placement.host(members.slot(rank));
            if (host >= numbers.length) {
                numbers = Arrays.copyOf(numbers, Math.max(host + 1, 2 * numbers.length));
            }
            if (numbers[host] == 0) {
                numbers[host] = ++hosts;
            }
            hostOf[rank] = numbers[host] - 1;
            counts[hostOf[rank]]++;
        }
        if (hosts < 2 || hosts == size) {
            return null;
        }
        int[][] ranks = new int[hosts][];
        for (int host = 0; host < hosts; host++) {
            ranks[host] = new int[counts[host]];
        }
        for (int rank = size - 1; rank >= 0; rank--) {
            ranks[hostOf[rank]][--counts[hostOf[rank]]] = rank;
        }
        return new HostedRanks(hostOf, ranks);
    }

    public int hosts() {
        return ranks.length;
    }

    public int hostOf(int rank) {
        return hostOf[rank];
    }

    /** The ranks of a host, ascending. The caller must not change the array. */
    public int[] ranks(int host) {
        return ranks[host];
    }

    /** The index of a rank among the ranks of its host, ascending. */
    public int place(int rank) {
        return Arrays.binarySearch(ranks[hostOf[rank]], rank);
    }

    /** The leaders, by host. The caller must not change the array. */
    public int[] leaders() {
        return leaders;
    }

    /** The leader of each host; the root is the leader of its own host. */
    public int[] leaders(int root) {
        if (leaders[hostOf[root]] == root) {
            return leaders;
        }
        int[] withRoot = leaders.clone();
        withRoot[hostOf[root]] = root;
        return withRoot;
    }

    /** Whether each host holds contiguous ranks. */
    public boolean isContiguous() {
        return isContiguous;
    }

    /** All ranks, host after host. */
    public int[] inHostOrder() {
        int[] order = new int[hostOf.length];
        int count = 0;
        for (int[] ofHost : ranks) {
            System.arraycopy(ofHost, 0, order, count, ofHost.length);
            count += ofHost.length;
        }
        return order;
    }
}
