package org.ulfmj.launch.hosts;

import java.util.List;

/**
 * The hosts of a job that runs on other hosts than that of its launcher, or on that of its launcher and on others, and
 * which slot is started where.
 *
 * @param hosts in the order of the command line or of the batch system; a host's place in the list is its index
 * @param hostOfSlot the index of the host of each slot
 * @param agents how the agents of other hosts are started
 */
public record JobHosts(List<JobHost> hosts, List<Integer> hostOfSlot, AgentStart agents) {
    /**
     * One host.
     *
     * @param name as the user or the batch system wrote it
     * @param slots how many processes it has room for
     * @param isHere whether it is the launcher's own host, whose processes the launcher starts itself
     */
    public record JobHost(String name, int slots, boolean isHere) {}

    /** How many hosts the job and its launcher are on. */
    public int hostsWithLauncher() {
        boolean isLauncherAmong = hosts.stream().anyMatch(JobHost::isHere);
        return hosts.size() + (isLauncherAmong ? 0 : 1);
    }

    /** The index of the host on which the first process of a slot is started. */
    public int hostOf(int slot) {
        return hostOfSlot.get(slot);
    }

    /** Whether the first process of a slot is started on the launcher's own host. */
    public boolean isHere(int slot) {
        return hosts.get(hostOf(slot)).isHere();
    }

    /** How many of the job's first processes are started on a host. */
    public int processesOn(int host) {
        int processes = 0;
        for (int each : hostOfSlot) {
            processes += each == host ? 1 : 0;
        }
        return processes;
    }

    /** How many slots below this one are on its host. */
    public int localRank(int slot) {
        int rank = 0;
        for (int below = 0; below < slot; below++) {
            rank += hostOf(below) == hostOf(slot) ? 1 : 0;
        }
        return rank;
    }
}
