package org.ulfmj.launch.agent;

/**
 * How long a host may be without an agent before it is given up. Pure.
 *
 * @param silentNs within which each process of a host without an agent has ended itself, as far as it has a lease
 * @param joinNs how long the start of a job may take: another agent gets no longer
 */
record AgentPatience(long silentNs, long joinNs) {
    /** How long an agent may take to start on a busy machine, with a login and a virtual machine before it. */
    private static final long START_NS = 60_000_000_000L;

    /** Whether no agent of a host was heard for so long that nothing can be known of its processes any more. */
    boolean isOver(RemoteHost host, long nowNs) {
        boolean wasThere = host.heardNs != 0;
        return wasThere && isAwaited(host, nowNs) && nowNs - host.heardNs >= silentNs;
    }

    /** Whether the agent of a host that was found while the job runs takes too long to start. */
    boolean isStartOver(RemoteHost host, boolean isByUser, long nowNs) {
        return host.state == RemoteHost.State.STARTING
                && !host.isReplacing
                && nowNs - host.startedNs >= startNs(isByUser);
    }

    /**
     * How long the start of an agent may take.
     *
     * @param isByUser whether the user starts it
     */
    long startNs(boolean isByUser) {
        return isByUser ? joinNs : Math.min(START_NS, joinNs);
    }

    /** Whether the leases of the processes that were told to end when this {@link #isOver} are over too. */
    boolean isOverForTwo(RemoteHost host, long nowNs) {
        return host.silentFromNs != 0 && nowNs - host.silentFromNs >= silentNs;
    }

    private boolean isAwaited(RemoteHost host, long nowNs) {
        return switch (host.state) {
            case READY, LOST -> true;
            // The end of its start is heard of at once; until then it may still call, and prove what became of all.
            case WAITING, STARTING -> host.isReplacing && nowNs - host.replacedNs >= startNs(false);
            case LEFT, GONE -> false;
        };
    }
}
