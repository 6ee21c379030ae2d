package org.ulfmj.rendezvous.gather;

/**
 * The parameters with which all processes of one rendezvous have to be started alike.
 *
 * @param min the number of members that a round needs
 * @param max the number of members that a round may have
 * @param leaseMs how long a process may be without contact to the store
 */
public record Terms(int min, int max, long leaseMs) {
    public Terms {
        if (min < 1 || max < min || leaseMs < 1) {
            throw new IllegalArgumentException("min_workers " + min + ", max_workers " + max + ", lease " + leaseMs
                    + " ms; allowed: at least 1, at least min_workers, and at least 1 ms");
        }
    }
}
