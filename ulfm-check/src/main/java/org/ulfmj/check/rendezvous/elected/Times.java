package org.ulfmj.check.rendezvous.elected;

/** The times of these worlds. */
final class Times {
    static final long MS = 1_000_000;
    static final int TTL_SECONDS = 1;
    static final long TTL_NS = TTL_SECONDS * 1_000 * MS;
    static final long POLL_NS = TTL_NS / 3;
    static final long RETRY_NS = 50 * MS;

    /** How long a request to etcd is waited for. */
    static final long REQUEST_NS = 150 * MS;

    /** After how long the judge of silences takes a process for silent. */
    static final long SILENCE_NS = 400 * MS;

    static final long JOIN_NS = 6_000 * MS;
    static final long CONFIRM_NS = 1_500 * MS;

    /** How long a process waits to be told where it belongs. */
    static final long PATIENCE_NS = 40_000 * MS;

    /** The time in which faults begin. */
    static final long WINDOW_NS = 4_000 * MS;

    private Times() {}
}
