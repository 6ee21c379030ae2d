package org.ulfmj.rendezvous.lease;

/**
 * The times of a process that has a lease, in ns.
 *
 * @param leaseNs for how long the lease lasts without an answer of the coordinator
 * @param keepAliveNs the time from one keep-alive to the next ({@code ulfm.rdzv.keepalive})
 * @param answerNs how long an answer may take before another connection is tried beside the one that brings none
 * @param isBinding whether the process ends itself once the lease has ended; if not, the coordinator then counts as
 *     lost and the process goes on ({@code ulfm.ft.quorum=majority})
 */
public record LeaseTimes(long leaseNs, long keepAliveNs, long answerNs, boolean isBinding) {
    /** The times of a lease after whose end its holder ends itself. */
    public LeaseTimes(long leaseNs, long keepAliveNs, long answerNs) {
        this(leaseNs, keepAliveNs, answerNs, true);
    }

    public LeaseTimes {
        if (keepAliveNs <= 0 || leaseNs <= keepAliveNs) {
            throw new IllegalArgumentException("a lease of " + leaseNs + " ns (ulfm.rdzv.lease) must be longer than its"
                    + " keep-alive of " + keepAliveNs + " ns (ulfm.rdzv.keepalive)");
        }
        if (answerNs <= 0) {
            throw new IllegalArgumentException("an answer within " + answerNs + " ns");
        }
    }
}
