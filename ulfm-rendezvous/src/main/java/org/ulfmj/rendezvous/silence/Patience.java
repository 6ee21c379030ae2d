package org.ulfmj.rendezvous.silence;

import java.util.List;

/** How long the judge waits for a process or a host, where that depends on the process or host. */
final class Patience {
    private final long timeoutNs;
    private final long startNs;
    private final long leaseNs;
    private final Hosts hosts;

    /**
     * @param startNs how long a process that has not answered yet may be silent, if it is a newcomer that members wait
     *     for, or a member of a job on several hosts; a value below the timeout counts as the timeout
     * @param leaseNs how long a host may be silent at most
     */
    Patience(long timeoutNs, long startNs, long leaseNs, Hosts hosts) {
        this.timeoutNs = timeoutNs;
        this.startNs = Math.max(timeoutNs, startNs);
        this.leaseNs = leaseNs;
        this.hosts = hosts;
    }

    /** How long a member may be silent before it is asked its last question. */
    long of(Subject member) {
        long ownNs = hasToBegin(member) ? startNs : timeoutNs;
        return member.isToReturn ? Math.max(ownNs, member.returnNs) : ownNs;
    }

    /**
     * Whether a process may still be loading its classes, or looking for this coordinator. Such a process is asked at
     * once, so that its first answer shows that it has begun.
     */
    boolean hasToBegin(Subject process) {
        return process.isToReturn || !process.hasBegun && (process.isAwaited || hosts.areSeveral());
    }

    /**
     * How long a host with these processes may be silent before it counts as lost: half a timeout longer than a
     * process, which has that half for its last question, but at most the length of a lease. A host whose cable was out
     * for a moment is silent for about a second: the first packet in that time makes its system look up the next hop's
     * address, and the system retries only a second later.
     *
     * <p>The shortest time of its members counts: once one member has begun, the longer time of those that are slow to
     * begin no longer excuses a silence of the whole host.
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
     * Whether the accused process has answered so long ago that the heartbeat which it sent to the complainer before
     * its answer must have arrived. Between hosts the first answer since the complaint counts: further questions come
     * once per timeout, and would put the end of this wait off for ever.
     */
    boolean isRipe(Complaint complaint, long atNs) {
        Subject accused = complaint.about;
        boolean isWithin = complaint.by.host == accused.host;
        return atNs - (isWithin ? accused.answeredNs : accused.firstAnsweredNs) >= ofPath(complaint);
    }

    /**
     * How long a heartbeat may take from the accused process to the complainer: half a timeout within a host, a timeout
     * between hosts. Between hosts it may have to wait for a connection that is dialed anew, with a handshake at both
     * ends, and a wrong decision would cost a whole host.
     */
    long ofPath(Complaint complaint) {
        return complaint.by.host == complaint.about.host ? timeoutNs / 2 : timeoutNs;
    }
}
