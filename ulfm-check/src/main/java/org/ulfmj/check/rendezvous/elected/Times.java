package org.ulfmj.check.rendezvous.elected;

/** The times of these worlds. */
final class Times {
    static final long MS = 1_000_000;
    static final int TTL_SECONDS = 2;
    static final long TTL_NS = TTL_SECONDS * 1_000 * MS;
    static final long POLL_NS = 500 * MS;
    static final long RETRY_NS = 50 * MS;

    /** How long a candidate for the office waits for etcd's answer to a request. */
    static final long REQUEST_NS = 150 * MS;

    /** How long a process must be silent before the judge of silences takes it for silent. */
    static final long SILENCE_NS = 400 * MS;

    /** How long a member may take to find a coordinator that can be found. Less than a lease here. */
    static final long FIND_NS = 2 * (POLL_NS + REQUEST_NS + RETRY_NS);

    static final long JOIN_NS = 6_000 * MS;

    /** Less than the time between two looks of a member for the coordinator. */
    static final long CONFIRM_NS = 250 * MS;

    /** How long a {@link Member} that joins waits until it runs, or is told to wait or why it does not run. */
    static final long PATIENCE_NS = 40_000 * MS;

    /** The unit of the times within which the scenarios begin faults. */
    static final long WINDOW_NS = 4_000 * MS;

    private Times() {}
}
