package org.ulfmj.agree.tree;

import java.util.Arrays;
import org.ulfmj.detector.LiveMembers;
import org.ulfmj.protocol.Placement;

/**
 * The tree of members that run on several hosts. The lowest member of each host is its leader. The leaders, in rank
 * order, form a binary heap, so only leaders are joined across hosts. The other members of a host hang below their
 * leader in the shape that members of one host would have.
 *
 * <p>A leader comes before the other members of its host, and the leaders are numbered in rank order, so every parent
 * comes before its children, wherever the members of a host lie. Costs memory by members.
 */
final class HostsShape implements TreeShape {
    /** All places, host after host in the order of the leaders, and in rank order within a host. */
    private final int[] places;
    /** Where each host begins in {@link #places}, and the end of the last one. */
    private final int[] starts;
    /** The host of each place. */
    private final int[] hostOf;
    /** The number of each place among the places of its host. */
    private final int[] within;

    private final TreeShape ofHost;

    private HostsShape(int[] hostOf, int hosts, TreeShape ofHost) {
        int[] ends = new int[hosts + 1];
        this.hostOf = hostOf;
        this.within = new int[hostOf.length];
        for (int place = 0; place < hostOf.length; place++) {
            within[place] = ends[hostOf[place] + 1]++;
        }
        Arrays.parallelPrefix(ends, Integer::sum);
        this.starts = ends;
        this.places = new int[hostOf.length];
        for (int place = 0; place < hostOf.length; place++) {
            places[starts[hostOf[place]] + within[place]] = place;
        }
        this.ofHost = ofHost;
    }

    /**
     * The shape for some members: {@code ofHost} if they are on one host, or if no two of them share one: then hosts
     * make no difference, and the tree is as deep as on one host.
     *
     * @param members those that take part, in rank order
     */
    static TreeShape of(LiveMembers members, Placement placement, TreeShape ofHost) {
        int[] numbers = new int[members.size()];
        int[] known = new int[members.size()];
        int hosts = 0;
        for (int place = 0; place < numbers.length; place++) {
            int host = placement.host(members.slot(place));
            if (host >= known.length) {
                known = Arrays.copyOf(known, host + 1);
            }
            if (known[host] == 0) {
                known[host] = ++hosts;
            }
            numbers[place] = known[host] - 1;
        }
        return hosts < 2 || hosts == numbers.length ? ofHost : new HostsShape(numbers, hosts, ofHost);
    }

    @Override
    public int parent(int place) {
        int host = hostOf[place];
        return within[place] > 0
                ? places[starts[host] + ofHost.parent(within[place])]
                : places[starts[BINARY.parent(host)]];
    }

    @Override
    public int[] children(int place, int size) {
        int host = hostOf[place];
        int[] ofItsHost = ofHost.children(within[place], starts[host + 1] - starts[host]);
        int[] leaders = within[place] == 0 ? BINARY.children(host, starts.length - 1) : new int[0]; // E.3 leaders
        int[] children = new int[leaders.length + ofItsHost.length];
        for (int i = 0; i < leaders.length; i++) {
            children[i] = places[starts[leaders[i]]];
        }
        for (int i = 0; i < ofItsHost.length; i++) {
            children[leaders.length + i] = places[starts[host] + ofItsHost[i]];
        }
        return children;
    }
}
