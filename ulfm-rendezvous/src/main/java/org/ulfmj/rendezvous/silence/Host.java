package org.ulfmj.rendezvous.silence;

/** One host of the job, and the judge's knowledge of it. Times are those of the {@link JudgeClock}. */
final class Host {
    final int index;

    /**
     * When a message of the host's agent, or of a process on the host, last came; or, if that was later, the time from
     * which the host's silence is counted.
     */
    long heardNs;

    /**
     * Whether the connection to the host's agent stands, as far as the launcher knows: only the agent can end a process
     * there.
     */
    boolean hasAgent = true;

    /** When the agent was last heard. */
    long agentHeardNs;

    Host(int index, long nowNs) {
        this.index = index;
        this.heardNs = nowNs;
        this.agentHeardNs = nowNs;
    }

    /**
     * Whether the launcher runs on this host. Such a host never counts as silent, and the launcher itself is its agent.
     */
    boolean isCoordinators() {
        return index == Hosts.COORDINATORS;
    }

    boolean isSilentFor(long durationNs, long atNs) {
        return !isCoordinators() && atNs - heardNs >= durationNs;
    }

    /**
     * Whether a message of this host's agent has come at or after a time; true for the launcher's host. Then all that
     * the agent reported of its processes before that time has come too. While an agent is slow, the lack of its
     * messages says nothing about its processes.
     */
    boolean isAgentHeardSince(long thenNs) {
        return isCoordinators() || agentHeardNs - thenNs >= 0;
    }

    /**
     * Whether SIGKILL can be sent to the processes of this host: it is the launcher's host, or the line to its agent
     * stands.
     */
    boolean canEnd() {
        return isCoordinators() || hasAgent;
    }
}
