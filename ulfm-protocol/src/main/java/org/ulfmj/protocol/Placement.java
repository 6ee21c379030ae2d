package org.ulfmj.protocol;

import java.util.Arrays;

/**
 * On which host each member of a {@link Membership} runs: slot → number of the host, from 0 in the order of their
 * lowest slots. Equal at all members, since it follows from what all of them know of each other's processes. Immutable.
 *
 * <p>Kept as runs of neighbouring slots of one host, so that a world whose hosts hold contiguous slots costs memory by
 * hosts and not by members. A world on one host costs none.
 */
public final class Placement {
    /** All members run on one host. */
    public static final Placement ONE_HOST = new Placement(new int[] {0}, new int[] {0});

    /** The first slot of each run, ascending. */
    private final int[] firstSlots;

    /** The host of each run. */
    private final int[] hosts;

    private Placement(int[] firstSlots, int[] hosts) {
        this.firstSlots = firstSlots;
        this.hosts = hosts;
    }

    /**
     * The placement of members, from a key of each one's host.
     *
     * @param slots in ascending order
     * @param hostKeys one for each slot, in the same order: members with equal keys are on one host
     */
    public static Placement of(SlotRuns slots, long[] hostKeys) {
        if (slots.size() != hostKeys.length) {
            throw new IllegalArgumentException(slots.size() + " slots and the hosts of " + hostKeys.length);
        }
        int[] firstSlots = new int[hostKeys.length];
        int[] hosts = new int[hostKeys.length];
        long[] known = new long[hostKeys.length];
        int knownCount = 0;
        int runs = 0;
        for (int place = 0; place < hostKeys.length; place++) {
            if (place > 0 && hostKeys[place] == hostKeys[place - 1]) {
                continue;
            }
            int host = 0;
            while (host < knownCount && known[host] != hostKeys[place]) {
                host++;
            }
            if (host == knownCount) {
                known[knownCount++] = hostKeys[place];
            }
            firstSlots[runs] = slots.slot(place);
            hosts[runs++] = host;
        }
        return knownCount < 2 ? ONE_HOST : new Placement(Arrays.copyOf(firstSlots, runs), Arrays.copyOf(hosts, runs));
    }

    /** Whether all members run on one host. */
    public boolean isOneHost() {
        return hosts.length == 1;
    }

    /** Whether all of the given members run on one host; true also if none is given. */
    public boolean areOnOneHost(SlotRuns members) {
        if (isOneHost() || members.size() == 0) {
            return true;
        }
        int host = host(members.slot(0));
        for (int rank = 1; rank < members.size(); rank++) {
            if (host(members.slot(rank)) != host) {
                return false;
            }
        }
        return true;
    }

    /** The host of a member. Undefined for a slot that is no member. */
    public int host(int slot) {
        int found = Arrays.binarySearch(firstSlots, slot);
        return hosts[found >= 0 ? found : Math.max(0, -found - 2)];
    }

    /** Writes bytes that are equal for equal placements only; writes nothing if all members are on one host. */
    public void writeTo(WireWriter out) {
        for (int run = 0; run < hosts.length && !isOneHost(); run++) {
            out.putInt(firstSlots[run]).putInt(hosts[run]);
        }
    }

    @Override
    public String toString() {
        if (isOneHost()) {
            return "one host";
        }
        StringBuilder text = new StringBuilder();
        for (int run = 0; run < hosts.length; run++) {
            text.append(run == 0 ? "" : " ").append(firstSlots[run]).append("@").append(hosts[run]);
        }
        return text.toString();
    }
}
