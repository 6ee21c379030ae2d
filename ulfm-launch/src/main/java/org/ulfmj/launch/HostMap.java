package org.ulfmj.launch;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.ulfmj.launch.agent.Agents;
import org.ulfmj.launch.command.JobHosts;
import org.ulfmj.launch.process.RankProcess;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.runtime.options.HostPlace;

/**
 * On which host each process of a job runs, or is to be started: the first ones where the user wants them, later ones
 * of a slot where the one before ran, or, if that host has no agent, where most slots are free; spares where most slots
 * are free. Used by the launcher's main thread.
 */
final class HostMap {
    private final HostPlace here;
    private final int size;
    /** Null in a job on one host. */
    private final JobHosts hosts;

    private final Agents agents;
    /** The host of each process that was started, by process. Kept after its end: a successor may go there. */
    private final Map<Integer, Integer> lastHosts = new HashMap<>();

    /** The index of processes that were started later on their host, by process. */
    private final Map<Integer, Integer> indices = new HashMap<>();

    private final Set<Integer> avoided = new TreeSet<>();
    private final List<List<RankProcess>> started = new ArrayList<>();

    /** A job whose processes all run on the launcher's host. */
    static HostMap ofOneHost(HostPlace here, int size) {
        return new HostMap(here, size, null, null);
    }

    /**
     * A job on several hosts.
     *
     * @param here the launcher's own host, with the address at which other hosts reach it
     */
    static HostMap of(HostPlace here, int size, JobHosts hosts, Agents agents) {
        return new HostMap(here, size, hosts, agents);
    }

    private HostMap(HostPlace here, int size, JobHosts hosts, Agents agents) {
        this.here = here;
        this.size = size;
        this.hosts = hosts;
        this.agents = agents;
        for (int i = 0; hosts != null && i < hosts.hosts().size(); i++) {
            started.add(new ArrayList<>());
        }
    }

    /**
     * The host of a process that is about to be started.
     *
     * @param process null for a spare
     */
    HostPlace placeFor(ProcessId process) {
        if (hosts == null) {
            return here;
        }
        int index = process == null ? freest() : hostFor(process);
        HostPlace own = new HostPlace(index, hosts.hosts().size(), here.key(), here.address(), false);
        return agents.isHere(index) ? own : new HostPlace(index, own.count(), agents.keyOf(index), "", true);
    }

    /** Whether a host is the launcher's own, which has no agent. */
    boolean isHere(int host) {
        return agents == null || agents.isHere(host);
    }

    private int hostFor(ProcessId process) {
        int last = lastHosts.getOrDefault(process.slot(), hosts.hostOf(process.slot()));
        return agents.isReady(last) && !avoided.contains(last) ? last : freest();
    }

    private int freest() {
        int others = freest(false);
        return others >= 0 ? others : Math.max(0, freest(true));
    }

    /** Returns the freest host that has an agent; -1 if there is none. */
    private int freest(boolean isAvoidedToo) {
        int freest = -1;
        int most = Integer.MIN_VALUE;
        for (int host = 0; host < started.size(); host++) {
            int free = hosts.hosts().get(host).slots() - running(host);
            boolean isWanted = isAvoidedToo || !avoided.contains(host);
            if (isWanted && agents.isReady(host) && free > most) {
                most = free;
                freest = host;
            }
        }
        return freest;
    }

    /**
     * A host has lost its path to another one: it gets processes only if no other host can have them.
     *
     * @param cutOff -1 for the launcher's own
     */
    void avoid(int cutOff) {
        for (int host = 0; host < started.size(); host++) {
            if (host == cutOff || cutOff < 0 && isHere(host)) {
                avoided.add(host);
            }
        }
    }

    private int running(int host) {
        started.get(host).removeIf(RankProcess::hasEnded);
        return started.get(host).size();
    }

    /** A process was started on a host. */
    void started(RankProcess process, int host) {
        if (hosts != null) {
            started.get(host).add(process);
            if (process.id() != null) {
                lastHosts.put(process.id().slot(), host);
            }
        }
    }

    /** A spare got a place, on the host where it is. */
    void assigned(RankProcess spare, ProcessId place) {
        for (int host = 0; host < started.size(); host++) {
            if (started.get(host).contains(spare)) {
                lastHosts.put(place.slot(), host);
            }
        }
    }

    /** A process of an elastic job is about to be started with this index among those of the launcher's own host. */
    void hasIndex(ProcessId child, int index) {
        indices.put(child.slot(), index);
    }

    /** The index of a process among those of its host; 0 for a spare. */
    int localRank(ProcessId process) {
        if (process != null && indices.containsKey(process.slot())) {
            return indices.get(process.slot());
        }
        if (process == null || hosts == null) {
            return process == null ? 0 : process.slot();
        }
        int host = lastHosts.getOrDefault(process.slot(), hosts.hostOf(process.slot()));
        return host == hosts.hostOf(process.slot()) ? hosts.localRank(process.slot()) : running(host);
    }

    /** How many of the job's first processes a host has. */
    int localSize(int host) {
        return hosts == null ? size : hosts.processesOn(host);
    }

    /** The host's name, as the user or the batch system wrote it. */
    String name(int host) {
        return hosts == null ? "this host" : hosts.hosts().get(host).name();
    }
}
