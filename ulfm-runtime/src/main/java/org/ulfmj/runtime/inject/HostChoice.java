package org.ulfmj.runtime.inject;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * The hosts that a rule is for, in groups between which a partition lets nothing pass.
 *
 * @param groups in the order of the rule; only one group where the rule is for hosts and not for the paths between them
 * @param bothWays whether the paths are cut in both directions, and not only from a group to each later one
 */
public record HostChoice(List<Group> groups, boolean bothWays) {
    /**
     * Hosts that still reach each other in a partition.
     *
     * @param hosts the words of the hosts ({@link HostNames})
     * @param ranks the ranks whose first processes are started on these hosts; empty in a plan that a process has read
     */
    public record Group(SortedSet<String> hosts, SortedSet<Integer> ranks) {}

    /** Whether a rank's first process is started on one of these hosts. */
    public boolean names(int rank) {
        for (Group group : groups) {
            if (group.ranks().contains(rank)) {
                return true;
            }
        }
        return false;
    }

    /** Whether the partition cuts off what the host {@code from} sends to the host {@code to}. */
    public boolean cuts(String from, String to) {
        int sender = groupOf(from);
        int receiver = groupOf(to);
        return sender >= 0 && receiver >= 0 && (bothWays ? sender != receiver : sender < receiver);
    }

    private int groupOf(String host) {
        for (int i = 0; i < groups.size(); i++) {
            if (groups.get(i).hosts().contains(host)) {
                return i;
            }
        }
        return -1;
    }

    /**
     * Returns the same choice with the words under which processes know the hosts; a host may have more than one such
     * word.
     */
    HostChoice renamed(Function<String, Set<String>> words) {
        List<Group> renamed = new ArrayList<>();
        for (Group group : groups) {
            SortedSet<String> hosts = new TreeSet<>();
            for (String host : group.hosts()) {
                hosts.addAll(words.apply(host));
            }
            renamed.add(new Group(hosts, group.ranks()));
        }
        return new HostChoice(renamed, bothWays);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (Group group : groups) {
            text.append(text.length() == 0 ? "node=" : bothWays ? "/" : ">").append(String.join("+", group.hosts()));
        }
        return text.toString();
    }
}
