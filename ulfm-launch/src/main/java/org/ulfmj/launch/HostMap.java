package org.ulfmj.launch;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.ulfmj.launch.agent.Agents;
import org.ulfmj.launch.hosts.JobHosts;
import org.ulfmj.launch.process.LastPlaces;
import org.ulfmj.launch.process.RankProcess;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.runtime.options.HostPlace;

/**
 * On which host each process of a job runs, or is to be started. The first processes go where the user wants them. A
 * later process of a slot goes to the host of the one before, or, if that host has no agent or is avoided, to the host
 * with most free slots among those that have an agent, if possible one that is not avoided. A spare goes to such a host
 * too. If hosts are discovered, each process is placed by {@link #place} instead. Used by the launcher's main thread.
 */
final class HostMap {
    private HostPlace here;
    private final int size;
    /** Null in a job on one host, and if the hosts are discovered. */
    private final JobHosts hosts;

    /** Null in a job on one host, and if the hosts are discovered and no other host can be used. */
    private final Agents agents;

    private final LastPlaces last = new LastPlaces();

    /** The place of each process of a job whose hosts are discovered, by the number of the child. */
    private final Map<Integer, Placed> placed = new HashMap<>();

    /**
     * @param index the index of the process among those of its host
     * @param localSize how many processes the host has room for
     */
    private record Placed(int host, int index, int localSize) {}

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

    /**
     * A job whose hosts are discovered.
     *
     * @param here the launcher's own host, with an address at which other hosts may reach it
     * @param agents null if no other host can be used
     */
    static HostMap ofDiscovered(HostPlace here, int size, Agents agents) {
        return new HostMap(here, size, null, agents);
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
     * Returns the host for a process that is about to be started.
     *
     * @param process null for a spare
     */
    HostPlace placeFor(ProcessId process) {
        if (agents == null) {
            return here;
        }
        int index = process == null ? freest() : hostFor(process);
        HostPlace own = new HostPlace(index, agents.count(), here.key(), here.address(), false);
        return agents.isHere(index) ? own : new HostPlace(index, own.count(), agents.keyOf(index), "", true);
    }

    /** Whether a host is the launcher's own, which needs no agent. */
    boolean isHere(int host) {
        return agents == null || agents.isHere(host);
    }

    private int hostFor(ProcessId process) {
        if (placed.containsKey(process.slot())) {
            return placed.get(process.slot()).host();
        }
        int before = last.host(process.slot(), hosts.hostOf(process.slot()));
        return agents.isReady(before) && !avoided.contains(before) ? before : freest();
    }

    private int freest() {
        int others = freest(false);
        return others >= 0 ? others : Math.max(0, freest(true));
    }

    /**
     * Returns the host with most free slots among those that have an agent; -1 if there is none.
     *
     * @param isAvoidedToo whether avoided hosts count too
     */
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
     * Notes that a host has lost its network path to another host: it gets further processes only if no other host can
     * have them.
     *
     * @param cutOff the host; -1 for the launcher's own
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
                last.put(process.id().slot(), process, host, localRank(process.id(), host));
            }
        }
    }

    /** Notes that a spare got a slot, whose next process may go to the spare's host. Returns its local rank there. */
    int assigned(RankProcess spare, ProcessId place) {
        for (int host = 0; host < started.size(); host++) {
            if (started.get(host).contains(spare)) {
                int localRank = localRank(place, host);
                last.put(place.slot(), spare, host, localRank);
                return localRank;
            }
        }
        return place.slot();
    }

    /**
     * Sets where a process that is about to be started runs, in a job whose hosts are discovered.
     *
     * @param index the index of the process among those of its host
     * @param localSize how many processes the host has room for
     */
    void place(ProcessId child, int host, int index, int localSize) {
        placed.put(child.slot(), new Placed(host, index, localSize));
    }

    /** Notes the address at which other hosts reach the launcher's host. */
    void isReachedAt(String address) {
        here = new HostPlace(here.index(), here.count(), here.key(), address, false);
    }

    /**
     * Returns the local rank of a process that is about to be started on a host, its index among those of this host; 0
     * for a spare. On the host of the slot's first process it is the local rank of that process. If a running process
     * has it, or on another host, it is the lowest that no running process there has.
     */
    int localRank(ProcessId process, int host) {
        if (process != null && placed.containsKey(process.slot())) {
            return placed.get(process.slot()).index();
        }
        if (process == null || hosts == null) {
            return process == null ? 0 : process.slot();
        }
        int slot = process.slot();
        return last.localRank(slot, host, host == hosts.hostOf(slot) ? hosts.localRank(slot) : 0);
    }

    /** Returns how many processes of the job a host has at the start, or has room for if it was discovered. */
    int localSize(ProcessId process, int host) {
        if (process != null && placed.containsKey(process.slot())) {
            return placed.get(process.slot()).localSize();
        }
        return hosts == null ? size : hosts.processesOn(host);
    }

    /** Returns the host's name for users; {@code this host} in a job without other hosts. */
    String name(int host) {
        return agents == null ? "this host" : agents.name(host);
    }
}
