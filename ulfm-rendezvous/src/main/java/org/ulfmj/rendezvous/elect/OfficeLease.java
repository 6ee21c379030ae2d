package org.ulfmj.rendezvous.elect;

/**
 * The lease of a process in etcd, under which the key of its office is written, or the key by which a launcher says
 * that it wants the office that another process has. A lease that is dropped is then ended in etcd, so that other
 * processes need not wait for its end. Part of {@link Election}.
 */
final class OfficeLease {
    /** What {@link #heldUntilNs} says without a lease. */
    static final long NOT_HELD = Long.MIN_VALUE;

    private final Candidate me;

    /** 0 for none. */
    private long lease;

    /** A dropped lease that is still to be ended in etcd; 0 for none. */
    private long former;

    private long heldUntilNs = NOT_HELD;
    private long renewNs;

    OfficeLease(Candidate me) {
        this.me = me;
    }

    /** Whether this process has a lease, as far as it knows. */
    boolean exists() {
        return lease != 0;
    }

    /** Its number in etcd. */
    long number() {
        return lease;
    }

    /**
     * Until when the lease lasts for certain: counted from the sending of the last request for it that was answered.
     * {@link #NOT_HELD} without a lease.
     */
    long heldUntilNs() {
        return heldUntilNs;
    }

    /** When to renew the lease; {@link Long#MAX_VALUE} without one. */
    long dueNs() {
        return exists() ? renewNs : Long.MAX_VALUE;
    }

    void granted(long number, long sentNs) {
        lease = number;
        renewed(sentNs);
    }

    void renewed(long sentNs) {
        renewNs = sentNs + me.pollNs();
        heldUntilNs = sentNs + me.ttlNs();
    }

    /** A renewal got no answer. */
    void renewAt(long atNs) {
        renewNs = atNs;
    }

    /** It has ended in etcd. */
    void lost() {
        lease = 0;
        heldUntilNs = NOT_HELD;
    }

    /** It is used no more. */
    void drop() {
        if (exists()) {
            former = lease;
        }
        lost();
    }

    /** Whether a dropped lease is still to be ended in etcd. */
    boolean hasFormer() {
        return former != 0;
    }

    /** Returns the dropped lease, for the request that ends it, and forgets it. */
    long takeFormer() {
        long ended = former;
        former = 0;
        return ended;
    }
}
