package org.ulfmj.rendezvous.silence;

/** One host of the job, and the judge's knowledge of it. Times are those of the {@link JudgeClock}. */
final class Host {
    final int index;

    /** When a message of the host's agent, or of a process on it, last came. */
    long heardNs;

    /** Whether the agent's line stands, as far as is known: only an agent can end a process there. */
    boolean hasAgent = true;

    /** When the agent was last heard. */
    long agentHeardNs;

    Host(int index, long nowNs) {
        this.index = index;
        this.heardNs = nowNs;
        this.agentHeardNs = nowNs;
    }

    /** Whether the launcher runs here: the host is never silent, and the launcher is its agent. */
    boolean isCoordinators() {
        return index == Hosts.COORDINATORS;
    }

    boolean isSilentFor(long durationNs, long atNs) {
        return !isCoordinators() && atNs - heardNs >= durationNs;
    }

    /**
     * Whether the agent was heard since then, and so all that it had to tell of its processes before. An agent that is
     * slow says as little about them as they do.
     */
    boolean isAgentHeardSince(long thenNs) {
        return isCoordinators() || agentHeardNs - thenNs >= 0;
    }

    /** Whether SIGKILL can be sent to the processes of this host. */
    boolean canEnd() {
        return isCoordinators() || hasAgent;
    }
}
