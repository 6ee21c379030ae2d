package org.ulfmj.launch.hosts;

import java.util.List;

/**
 * The hosts of a job that may run on other hosts than its launcher's, and which slot is started on which host.
 *
 * @param hosts in the order of the command line or of the batch system; a host's place in the list is its index
 * @param hostOfSlot for each slot, the index of its host
 * @param agents how the agents of other hosts are started
 */
public record JobHosts(List<JobHost> hosts, List<Integer> hostOfSlot, AgentStart agents) {
    /**
     * One host of a job.
     *
     * @param name as the user or the batch system wrote it
     * @param slots how many processes the host has room for
     * @param isHere whether it is the launcher's own host, whose processes the launcher starts itself
     */
    public record JobHost(String name, int slots, boolean isHere) {}

    /**
     * How many hosts the job has together with its launcher's host, which counts also if it is not one of the job's.
     */
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

    /** How many of the processes with which the job begins are started on a host. */
    public int processesOn(int host) {
        int processes = 0;
        for (int each : hostOfSlot) {
            processes += each == host ? 1 : 0;
        }
        return processes;
    }

    /** How many lower slots than this one are on the same host: its local rank there. */
    public int localRank(int slot) {
        int rank = 0;
        for (int below = 0; below < slot; below++) {
            rank += hostOf(below) == hostOf(slot) ? 1 : 0;
        }
        return rank;
    }
}
