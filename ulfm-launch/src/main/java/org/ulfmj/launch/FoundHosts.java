package org.ulfmj.launch;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.ulfmj.launch.agent.Agents;
import org.ulfmj.launch.hosts.HostSlots;
import org.ulfmj.launch.hosts.OwnHost;
import org.ulfmj.launch.output.Report;

/**
 * The hosts that the command of {@code --host-discovery} has found, and the agents of those that are not the launcher's
 * own. Another host gets an agent when a process is to be started there, and loses it when it has neither slots nor
 * processes. If a host cannot have an agent, the user is told, and the host is not tried again before the command has
 * left it out of its output. Used by the launcher's main thread.
 */
final class FoundHosts {
    /** The name of the launcher's own host here, whatever name the command gives it. */
    static final String HERE = Agents.HERE;

    private final OwnHost own = new OwnHost(System.getenv());
    /** The agents of other hosts; null if no other host can be used. */
    private final Agents agents;

    private final Report report;
    private final Map<String, Integer> indices = new TreeMap<>(Map.of(HERE, 0));
    private final Set<String> unusable = new TreeSet<>();

    /**
     * The slots of each host that the command has found last, in the order in which it printed the hosts. Without
     * {@link #agents} no host but the launcher's own is in it.
     */
    private Map<String, Integer> present = Map.of();

    private boolean isAloneTold;

    FoundHosts(Agents agents, Report report) {
        this.agents = agents;
        this.report = report;
    }

    /** Notes the hosts that the command has found. Returns the slots of each; without agents, of the own host only. */
    Map<String, Integer> found(List<HostSlots> hosts) {
        Map<String, Integer> slots = new LinkedHashMap<>();
        for (HostSlots host : hosts) {
            String name = own.isThis(host.name()) ? HERE : host.name();
            if (agents == null && !name.equals(HERE)) {
                tellAlone(name);
            } else {
                slots.merge(name, host.slots(), (one, other) -> Math.min(one + other, HostSlots.MOST_SLOTS));
            }
        }
        unusable.retainAll(slots.keySet());
        present = slots;
        return slots;
    }

    private void tellAlone(String name) {
        if (!isAloneTold) {
            isAloneTold = true;
            report.say(SlotKeeper.OPTION + "no network interface but loopback is up, so slots of " + name
                    + " and of other hosts are not used (told once)");
        }
    }

    /** Returns the hosts on which processes can be started now. */
    Set<String> usable() {
        Set<String> usable = new TreeSet<>();
        for (Map.Entry<String, Integer> each : indices.entrySet()) {
            if (agents == null || agents.isReady(each.getValue())) {
                usable.add(each.getKey());
            }
        }
        return usable;
    }

    /** Returns the hosts on which processes can be started now, or as soon as they have an agent. */
    Set<String> possible() {
        Set<String> possible = new TreeSet<>(present.keySet());
        possible.removeAll(unusable);
        return possible;
    }

    int indexOf(String name) {
        return indices.get(name);
    }

    /** Begins to start agents on those of these hosts that have none, since processes are to be started there. */
    void need(Set<String> names) {
        for (String name : names) {
            if (!name.equals(HERE)) {
                begin(name);
            }
        }
    }

    private void begin(String name) {
        if (!indices.containsKey(name)) {
            if (agents.count() > HostSlots.MOST_HOSTS) {
                cannotBeUsed(name, "there were " + HostSlots.MOST_HOSTS + " other hosts before");
                return;
            }
            try {
                indices.put(name, agents.add(name));
            } catch (IOException e) {
                cannotBeUsed(name, e.getMessage());
                return;
            }
        }
        int host = indices.get(name);
        if (!agents.isReady(host)) {
            agents.begin(host, present.get(name));
        }
    }

    /**
     * Ends the agents of hosts that the command has not found in its last list and that are not among the given hosts,
     * which have processes.
     */
    void releaseBut(Set<String> withProcesses) {
        for (Map.Entry<String, Integer> each : indices.entrySet()) {
            String name = each.getKey();
            if (!name.equals(HERE) && !present.containsKey(name) && !withProcesses.contains(name)) {
                agents.release(each.getValue());
            }
        }
    }

    /**
     * Notes that a host cannot have an agent.
     *
     * @param why the reason for the user; null if the user was told already
     */
    void isUnusable(int host, String why) {
        cannotBeUsed(agents.name(host), why);
    }

    private void cannotBeUsed(String name, String why) {
        boolean isNews = present.containsKey(name) && unusable.add(name);
        if (isNews && why != null) {
            report.say(SlotKeeper.OPTION + "host " + name + " cannot be used: " + why
                    + "; it is tried again once the command has left it out and prints it again");
        }
    }
}
