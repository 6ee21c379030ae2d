package org.ulfmj.launch.hosts;

import java.util.ArrayList;
import java.util.List;

/**
 * Decides how many processes each host gets, and which. Where hosts are filled one after the other, all processes of a
 * host have neighbouring ranks; then more collectives can combine inside a host what they send to other hosts.
 */
public final class Placement {
    /**
     * The room that is left on a host.
     *
     * @param host its index
     * @param slots how many more processes fit into its slots, at least 0
     * @param most how many more processes it may take where hosts may take more processes than slots
     */
    public record Room(int host, int slots, int most) {}

    private final List<Room> rooms;
    private final int size;
    private final boolean mayExceed;
    private final int[] taken;

    private Placement(List<Room> rooms, int size, boolean mayExceed) {
        this.rooms = rooms;
        this.size = size;
        this.mayExceed = mayExceed;
        this.taken = new int[rooms.size()];
    }

    /**
     * Fills the slots of one host before those of the next. If there are more processes than slots and
     * {@code mayExceed} is set, each host gets, round by round, as many processes more as it has slots, at least one,
     * up to its limit.
     *
     * @param mayExceed whether hosts may take more processes than they have slots
     * @return the index of the host of each process
     * @throws IllegalArgumentException if there is no room for all processes
     */
    public static List<Integer> bySlot(List<Room> rooms, int size, boolean mayExceed) {
        Placement placement = new Placement(rooms, size, mayExceed);
        placement.fill();
        List<Integer> hosts = new ArrayList<>();
        for (int i = 0; i < rooms.size(); i++) {
            for (int process = 0; process < placement.taken[i]; process++) {
                hosts.add(rooms.get(i).host());
            }
        }
        return hosts;
    }

    /** As {@link #bySlot}, but the hosts get one process each in turn, as long as they have room. */
    public static List<Integer> byNode(List<Room> rooms, int size, boolean mayExceed) {
        Placement placement = new Placement(rooms, size, mayExceed);
        List<Integer> hosts = new ArrayList<>();
        int round = 0;
        while (hosts.size() < size) {
            int before = hosts.size();
            for (int i = 0; i < rooms.size() && hosts.size() < size; i++) {
                if (placement.taken[i] < placement.limit(i, round)) {
                    placement.taken[i]++;
                    hosts.add(rooms.get(i).host());
                }
            }
            if (hosts.size() == before) {
                placement.requireRoom(round);
                round++;
            }
        }
        return hosts;
    }

    private void fill() {
        int left = size;
        for (int round = 0; left > 0; round++) {
            for (int i = 0; i < rooms.size(); i++) {
                int more = Math.min(left, limit(i, round) - taken[i]);
                taken[i] += more;
                left -= more;
            }
            if (left > 0) {
                requireRoom(round);
            }
        }
    }

    /**
     * How many processes a host may have: its slots, and in each round after the first as many more, at least one, but
     * in all not more than its limit.
     */
    private int limit(int i, int round) {
        Room room = rooms.get(i);
        long wanted = room.slots() + (long) round * Math.max(1, room.slots());
        return (int) Math.min(wanted, room.most());
    }

    private void requireRoom(int round) {
        if (!mayExceed) {
            throw new IllegalArgumentException("-n: " + size + " processes, but " + described()
                    + "; add --oversubscribe, or slots behind the names of hosts, as in --host a:4,b:4");
        }
        for (int i = 0; i < rooms.size(); i++) {
            if (limit(i, round) < rooms.get(i).most()) {
                return;
            }
        }
        throw new IllegalArgumentException(
                "-n: " + size + " processes, but " + described() + ", and no host may have more (max_slots, -N)");
    }

    private String described() {
        long slots = 0;
        for (int i = 0; i < rooms.size(); i++) {
            slots += mayExceed ? rooms.get(i).most() : limit(i, 0);
        }
        return rooms.size()
                + (rooms.size() == 1 ? " host has " : " hosts have ")
                + slots
                + (slots == 1 ? " slot" : " slots");
    }
}
