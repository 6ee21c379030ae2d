package org.ulfmj.launch.agent;

/**
 * Decides how long a host may be without an agent before it is given up. Pure.
 *
 * @param silentNs the time within which each process of a host without an agent has ended itself, if it has a lease
 * @param joinNs how long the start of a job may take; a replacing agent gets no more time than that
 */
record AgentPatience(long silentNs, long joinNs) {
    /** How long an agent may take to start on a busy machine, including a login and the start of a virtual machine. */
    private static final long START_NS = 60_000_000_000L;

    /** Whether no agent of this host was heard for so long that nothing can be known about its processes any more. */
    boolean isOver(RemoteHost host, long nowNs) {
        boolean wasThere = host.heardNs != 0;
        return wasThere && isAwaited(host, nowNs) && nowNs - host.heardNs >= silentNs;
    }

    /** Whether the agent of a discovered host takes too long to start. */
    boolean isStartOver(RemoteHost host, boolean isByUser, long nowNs) {
        return host.state == RemoteHost.State.STARTING
                && !host.isReplacing
                && nowNs - host.startedNs >= startNs(isByUser);
    }

    /**
     * Returns how long the start of an agent may take.
     *
     * @param isByUser whether the user starts the agent by hand
     */
    long startNs(boolean isByUser) {
        return isByUser ? joinNs : Math.min(START_NS, joinNs);
    }

    /**
     * Whether a second lease has passed since {@link #isOver} was true first, so that the leases of the processes that
     * were told to end then are over too.
     */
    boolean isOverForTwo(RemoteHost host, long nowNs) {
        return host.silentFromNs != 0 && nowNs - host.silentFromNs >= silentNs;
    }

    private boolean isAwaited(RemoteHost host, long nowNs) {
        return switch (host.state) {
            case READY, LOST -> true;
            // A start that fails is noticed at once. Until it has lasted too long, the new agent may still call, and
            // then proves how all former processes ended.
            case WAITING, STARTING -> host.isReplacing && nowNs - host.replacedNs >= startNs(false);
            case LEFT, GONE -> false;
        };
    }
}
