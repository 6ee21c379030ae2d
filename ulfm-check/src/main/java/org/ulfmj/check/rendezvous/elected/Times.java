package org.ulfmj.check.rendezvous.elected;

/** The times of these worlds. */
final class Times {
    static final long MS = 1_000_000;
    static final int TTL_SECONDS = 2;
    static final long TTL_NS = TTL_SECONDS * 1_000 * MS;
    static final long POLL_NS = 500 * MS;
    static final long RETRY_NS = 50 * MS;

    /** How long a request to etcd is waited for. */
    static final long REQUEST_NS = 150 * MS;

    /** After how long the judge of silences takes a process for silent. */
    static final long SILENCE_NS = 400 * MS;

    /**
     * How long a member may take to find a coordinator that can be found. Less than a lease, as in a job with a long
     * one.
     */
    static final long FIND_NS = 2 * (POLL_NS + REQUEST_NS + RETRY_NS);

    static final long JOIN_NS = 6_000 * MS;

    /** Shorter than the time between two looks of a member. */
    static final long CONFIRM_NS = 250 * MS;

    /** How long a process waits to be told where it belongs. */
    static final long PATIENCE_NS = 40_000 * MS;

    /** The time in which faults begin. */
    static final long WINDOW_NS = 4_000 * MS;

    private Times() {}
}
