package org.ulfmj.launch.discovery;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Decides which processes of an elastic job are started and which are told to end, so that each host has as many
 * processes as it has slots, and the job no more than its world may have members. Pure; used by one thread.
 *
 * <ul>
 *   <li>Where a host has fewer slots than processes, its youngest processes are told to end.
 *   <li>A process that is told to end keeps its slot until it has ended.
 *   <li>A process that has ended by itself, well or badly, has <em>spent</em> its slot: no other process is started
 *       there, so a program that always fails is not started for ever. When a host loses slots, its spent slots are
 *       taken away first. A slot that the host gets again later is a new, unspent one.
 *   <li>A process that has left because it got SIGTERM from outside the job has not failed: its slot is free again.
 *   <li>Slots above the maximum size of the world are not used, and no process is started in advance for them.
 *   <li>A process is started only on a usable host, one that has an agent. The slots of a host that still waits for its
 *       agent are not reserved: other hosts get the processes, up to the maximum size of the world.
 * </ul>
 */
public final class SlotPlan {
    /** A process that runs. A process that was started later has a higher number. */
    public record Running(int number, String host, boolean isEnding) {}

    /**
     * The processes to start and to end.
     *
     * @param starts how many processes are started on each host; hosts on which none is started are not in it
     * @param ends the numbers of the processes that are told to end, the youngest process first
     */
    public record Steps(Map<String, Integer> starts, List<Integer> ends) {}

    private final int most;
    /** The number of slots of each host, in the order in which the hosts were found. */
    private final Map<String, Integer> slots = new LinkedHashMap<>();

    private final Map<String, Integer> spent = new TreeMap<>();

    /** @param most members of the world */
    public SlotPlan(int most) {
        this.most = most;
    }

    /** How many members the world may have. */
    int most() {
        return most;
    }

    /** Takes over how many slots each host has now. A host that is not in the map has none any more. */
    public void found(Map<String, Integer> slotsOfHosts) {
        for (Map.Entry<String, Integer> each : slots.entrySet()) {
            int lost = Math.max(0, each.getValue() - slotsOfHosts.getOrDefault(each.getKey(), 0));
            spent.computeIfPresent(each.getKey(), (host, count) -> Math.max(0, count - lost));
        }
        slots.clear();
        slots.putAll(slotsOfHosts);
    }

    /**
     * Marks one slot of a host as spent, if the host has any slots: a process there has ended by itself, or could not
     * be started.
     */
    public void spent(String host) {
        spent.merge(host, Math.min(1, slots(host)), Integer::sum);
    }

    /**
     * How many processes the job would have on these hosts if no slot were spent: one for each slot, but no more than
     * the world may have members.
     */
    public int wanted(Set<String> usable) {
        return Math.min(slots(usable), most);
    }

    /** How many slots there are. */
    public int slots() {
        return slots(slots.keySet());
    }

    /** How many slots these hosts have. */
    public int slots(Set<String> hosts) {
        long all = 0;
        for (Map.Entry<String, Integer> each : slots.entrySet()) {
            all += hosts.contains(each.getKey()) ? each.getValue() : 0;
        }
        return (int) Math.min(all, Integer.MAX_VALUE);
    }

    /** How many slots a host has. */
    public int slots(String host) {
        return slots.getOrDefault(host, 0);
    }

    /** Whether this host has slots, and no other one. */
    public boolean isAlone(String host) {
        return slots.keySet().equals(Set.of(host));
    }

    /**
     * Returns which processes to start and which to end, given the processes that run now.
     *
     * @param usable the hosts on which processes can be started now
     */
    public Steps decide(Collection<Running> running, Set<String> usable) {
        Map<String, Integer> starts = new LinkedHashMap<>();
        int left = most - running.size();
        for (String host : slots.keySet()) {
            if (!usable.contains(host)) {
                continue;
            }
            int free = Math.min(left, room(host) - (int) on(host, running));
            if (free > 0) {
                starts.put(host, free);
                left -= free;
            }
        }
        return new Steps(starts, ends(running));
    }

    private List<Integer> ends(Collection<Running> running) {
        List<Running> youngest = new ArrayList<>(running);
        youngest.removeIf(Running::isEnding);
        youngest.sort(Comparator.comparingInt(Running::number).reversed());
        Map<String, Integer> tooMany = new TreeMap<>();
        for (Running each : youngest) {
            tooMany.merge(each.host(), 1, Integer::sum);
        }
        tooMany.replaceAll((host, count) -> count - room(host));
        List<Integer> ends = new ArrayList<>();
        for (Running each : youngest) {
            int over = tooMany.get(each.host());
            if (over > 0) {
                tooMany.put(each.host(), over - 1);
                ends.add(each.number());
            }
        }
        return ends;
    }

    /** How many processes a host may have. */
    private int room(String host) {
        return Math.max(0, slots.getOrDefault(host, 0) - spent.getOrDefault(host, 0));
    }

    private static long on(String host, Collection<Running> running) {
        return running.stream().filter(each -> each.host().equals(host)).count();
    }
}
