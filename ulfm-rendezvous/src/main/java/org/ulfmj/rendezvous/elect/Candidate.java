package org.ulfmj.rendezvous.elect;

/**
 * A process that takes part in an election.
 *
 * @param isPreferred whether candidates that are not preferred leave the office to it, as to a launcher
 * @param ttlSeconds the length of its lease in etcd; etcd may give more
 * @param pollNs how often it looks which process has the office, and renews its lease
 * @param retryNs how long it waits after most requests without an answer, and after a campaign that failed
 */
public record Candidate(boolean isPreferred, long ttlSeconds, long pollNs, long retryNs) {
    private static final long NS_PER_SECOND = 1_000_000_000;

    public Candidate {
        if (ttlSeconds < 1 || pollNs <= 0 || pollNs >= ttlSeconds * NS_PER_SECOND || retryNs <= 0) {
            throw new IllegalArgumentException("a lease of " + ttlSeconds + " s that is renewed every " + pollNs
                    + " ns, and a wait of " + retryNs + " ns: a lease is at least 1 s and is renewed before it ends");
        }
    }

    long ttlNs() {
        return ttlSeconds * NS_PER_SECOND;
    }
}
