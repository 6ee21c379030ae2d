package org.ulfmj.rendezvous.silence;

import java.util.List;

/** How long the judge waits, where that is not the same for all processes. */
final class Patience {
    private final long timeoutNs;
    private final long startNs;
    private final long leaseNs;
    private final Hosts hosts;

    /**
     * @param startNs for a process that has not answered yet, if it is a newcomer that members wait for, or a member of
     *     a job on several hosts; at least the timeout is taken
     * @param leaseNs the longest for a host
     */
    Patience(long timeoutNs, long startNs, long leaseNs, Hosts hosts) {
        this.timeoutNs = timeoutNs;
        this.startNs = Math.max(timeoutNs, startNs);
        this.leaseNs = leaseNs;
        this.hosts = hosts;
    }

    /** How long a member may say nothing before it is asked a last time. */
    long of(Subject member) {
        long ownNs = hasToBegin(member) ? startNs : timeoutNs;
        return member.isToReturn ? Math.max(ownNs, member.returnNs) : ownNs;
    }

    /**
     * Whether a process may still load its classes, or look for this coordinator. It is asked at once, so that this is
     * known to be over once it is.
     */
    boolean hasToBegin(Subject process) {
        return process.isToReturn || !process.hasBegun && (process.isAwaited || hosts.areSeveral());
    }

    /**
     * How long a host with these processes may say nothing before it counts as lost: half a timeout longer than a
     * process, which has as long for its last question. A host whose cable was out for a moment is silent for a second:
     * the first packet meanwhile makes its system look up the next hop's address, and it looks again a second later.
     *
     * <p>Where a member has begun, others that are slow to begin silence neither that member nor the agent.
     */
    long ofHost(List<Subject> processes) {
        long shortestNs = Long.MAX_VALUE;
        for (Subject process : processes) {
            if (process.isMember) {
                shortestNs = Math.min(shortestNs, of(process));
            }
        }
        long silentNs = shortestNs == Long.MAX_VALUE ? timeoutNs : shortestNs;
        return Math.min(silentNs + timeoutNs / 2, leaseNs);
    }

    /**
     * Whether the heartbeat must have arrived that the process complained of has sent before it answered. Between hosts
     * the first one counts: further questions come once per timeout, and would put the end of this wait off for ever.
     */
    boolean isRipe(Complaint complaint, long atNs) {
        Subject accused = complaint.about;
        boolean isWithin = complaint.by.host == accused.host;
        return atNs - (isWithin ? accused.answeredNs : accused.firstAnsweredNs) >= ofPath(complaint);
    }

    /**
     * How long a heartbeat may be on the path that is complained of. Between hosts it may have to wait for a connection
     * that is dialed anew, with a handshake at both ends, and a whole host is what a wrong complaint would cost.
     */
    long ofPath(Complaint complaint) {
        return complaint.by.host == complaint.about.host ? timeoutNs / 2 : timeoutNs;
    }
}
