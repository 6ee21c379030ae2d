package org.ulfmj.runtime.inject;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/** Reads the hosts of a rule: {@code node=0+1/2}, {@code node=a>b}, {@code node=1}. */
final class HostParser {
    static final String NODE = "node=";

    private final FaultAction action;
    /** Null in a job on one host. */
    private final HostNames names;

    HostParser(FaultAction action, HostNames names) {
        this.action = action;
        this.names = names;
    }

    /** Reads what stands behind {@code node=} of a rule for ranks: one host; returns the ranks there. */
    SortedSet<Integer> ranks(RulePart name) {
        SortedSet<Integer> ranks = names(name).ranksOn(word(name));
        if (ranks.isEmpty()) {
            throw name.refused("no rank is started on host '" + name.text() + "'");
        }
        return ranks;
    }

    /**
     * Reads what stands behind {@code node=} of a rule for hosts: the groups of a partition, or the hosts whose agents
     * are killed.
     */
    HostChoice choice(RulePart hosts) {
        return action == FaultAction.PARTITION ? partition(hosts) : agents(hosts);
    }

    private HostChoice agents(RulePart hosts) {
        HostChoice.Group group = group(hosts, new TreeSet<>());
        for (String word : group.hosts()) {
            if (!names.hasAgent(word)) {
                throw hosts.refused("mpiexec itself does the work of an agent on its own host; launcher-kill ends it");
            }
        }
        return new HostChoice(List.of(group), true);
    }

    private HostChoice partition(RulePart hosts) {
        boolean isOneWay = hosts.indexOf(">") >= 0;
        if (isOneWay && hosts.indexOf("/") >= 0) {
            throw hosts.refused("'" + hosts.text() + "' has both / and >; write node=A/B for both ways, node=A>B for"
                    + " what A sends to B");
        }
        List<HostChoice.Group> groups = new ArrayList<>();
        SortedSet<String> taken = new TreeSet<>();
        for (RulePart part : hosts.split(isOneWay ? '>' : '/')) {
            groups.add(group(part, taken));
        }
        if (groups.size() == 1) {
            groups.add(others(hosts, taken));
        }
        return new HostChoice(groups, !isOneWay);
    }

    /** The group of all hosts that are not in the only group that a rule names. */
    private HostChoice.Group others(RulePart hosts, SortedSet<String> taken) {
        SortedSet<String> words = new TreeSet<>(names(hosts).all());
        words.removeAll(taken);
        if (words.isEmpty()) {
            throw hosts.refused("no host is left on the other side; write node=A/B");
        }
        return group(words);
    }

    private HostChoice.Group group(RulePart hosts, SortedSet<String> taken) {
        SortedSet<String> words = new TreeSet<>();
        for (RulePart name : hosts.split('+')) {
            String word = word(name);
            if (!taken.add(word)) {
                throw name.refused("host '" + name.text() + "' is named twice");
            }
            words.add(word);
        }
        return group(words);
    }

    private HostChoice.Group group(SortedSet<String> words) {
        SortedSet<Integer> ranks = new TreeSet<>();
        for (String word : words) {
            ranks.addAll(names.ranksOn(word));
        }
        return new HostChoice.Group(words, ranks);
    }

    private String word(RulePart name) {
        String word = name.text().isEmpty() ? null : names(name).wordOf(name.text());
        if (word == null) {
            throw name.refused("'" + name.text() + "' is no host of this job; write the name or the index of one of its"
                    + " hosts, or " + HostNames.LAUNCHER);
        }
        return word;
    }

    private HostNames names(RulePart at) {
        if (names == null) {
            throw at.refused(NODE + " names hosts, and this job has one host; write "
                    + switch (action) {
                        case PARTITION -> "blackhole:link=A-B between ranks";
                        case AGENT_KILL -> "launcher-kill, which ends mpiexec";
                        default -> action.word() + ":rank=R";
                    });
        }
        return names;
    }
}
