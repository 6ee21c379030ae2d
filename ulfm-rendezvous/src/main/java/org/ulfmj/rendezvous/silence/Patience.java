package org.ulfmj.rendezvous.silence;

import java.util.List;

/** How long the judge waits, where that is not the same for all processes. */
final class Patience {
    private final long timeoutNs;
    private final long startNs;
    private final Hosts hosts;

    /**
     * @param startNs for a member that has not answered yet, in a job on several hosts; at least the timeout is taken
     */
    Patience(long timeoutNs, long startNs, Hosts hosts) {
        this.timeoutNs = timeoutNs;
        this.startNs = Math.max(timeoutNs, startNs);
        this.hosts = hosts;
    }

    /** How long a member may say nothing before it is asked a last time. */
    long of(Subject member) {
        return member.hasBegun || !hosts.areSeveral() ? timeoutNs : startNs;
    }

    /** How long a host with these processes may say nothing before it counts as lost. */
    long of(List<Subject> processes) {
        long patienceNs = timeoutNs;
        for (Subject process : processes) {
            patienceNs = process.isMember ? Math.max(patienceNs, of(process)) : patienceNs;
        }
        return patienceNs;
    }
}
