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
 * The hosts that {@code --host-discovery} has found, each by one name, and their agents. A host gets an agent when a
 * process is to be started there, and loses it when it has neither slots nor processes. A host that cannot have an
 * agent is told once, and not tried again before the command has left it out. Used by the launcher's main thread.
 */
final class FoundHosts {
    /** The launcher's own host, no matter what the command calls it. */
    static final String HERE = Agents.HERE;

    private final OwnHost own = new OwnHost(System.getenv());
    /** Null if no other host can be used. */
    private final Agents agents;

    private final Report report;
    private final Map<String, Integer> indices = new TreeMap<>(Map.of(HERE, 0));
    private final Set<String> unusable = new TreeSet<>();

    /** With their slots, in the order in which they were found. */
    private Map<String, Integer> present = Map.of();

    private boolean isAloneTold;

    FoundHosts(Agents agents, Report report) {
        this.agents = agents;
        this.report = report;
    }

    /** The command has found these hosts. Returns the slots of each that can be used. */
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

    /** The hosts on which processes can be started now. */
    Set<String> usable() {
        Set<String> usable = new TreeSet<>();
        for (Map.Entry<String, Integer> each : indices.entrySet()) {
            if (agents == null || agents.isReady(each.getValue())) {
                usable.add(each.getKey());
            }
        }
        return usable;
    }

    /** The hosts on which processes can be started now, or once they have an agent. */
    Set<String> possible() {
        Set<String> possible = new TreeSet<>(present.keySet());
        possible.removeAll(unusable);
        return possible;
    }

    int indexOf(String name) {
        return indices.get(name);
    }

    /** Processes are to be started on these hosts: those without an agent get one. */
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

    /** The agents of hosts that have neither slots nor any of these processes leave. */
    void releaseBut(Set<String> withProcesses) {
        for (Map.Entry<String, Integer> each : indices.entrySet()) {
            String name = each.getKey();
            if (!name.equals(HERE) && !present.containsKey(name) && !withProcesses.contains(name)) {
                agents.release(each.getValue());
            }
        }
    }

    /** @param why null if the user was told */
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
