package org.ulfmj.rendezvous.client;

import java.net.InetSocketAddress;
import org.ulfmj.rendezvous.lease.LeaseTimes;
import org.ulfmj.transport.MemberRecord;
import org.ulfmj.transport.auth.JobSecret;
import org.ulfmj.transport.record.Protection;

/**
 * The arguments with which a rank joins its world.
 *
 * @param rendezvous where the launcher listens
 * @param runId name of the job
 * @param me this process, with its nonce; its listener is bound
 * @param secret of the job
 * @param optionsHash hash of the options that all processes of the job must share
 * @param patienceNs how long to wait for an answer; longer than the core waits for other ranks, so that the reason that
 *     the core gives is heard
 * @param budgetNs how long a broken connection may stay broken before the launcher counts as lost; not used with a
 *     lease or with {@code whereabouts} once {@link RendezvousClient#join} has returned
 * @param lease the times of this process's lease; null if it may run without an answer of the launcher for any time
 * @param protection which connections carry encrypted records
 * @param whereabouts tells where a coordinator is that may change; null where only the launcher is the coordinator
 */
public record JoinRequest(
        InetSocketAddress rendezvous,
        String runId,
        MemberRecord me,
        JobSecret secret,
        long optionsHash,
        long patienceNs,
        long budgetNs,
        LeaseTimes lease,
        Protection protection,
        Whereabouts whereabouts) {
    public JoinRequest {
        if (patienceNs <= 0 || budgetNs <= 0) {
            throw new IllegalArgumentException(
                    "patience (" + patienceNs + " ns) and budget (" + budgetNs + " ns) must be positive");
        }
    }

    /**
     * A request of a process without a lease, in a job whose only coordinator is the launcher, with
     * {@link Protection#AUTO}.
     */
    public JoinRequest(
            InetSocketAddress rendezvous,
            String runId,
            MemberRecord me,
            JobSecret secret,
            long optionsHash,
            long patienceNs,
            long budgetNs) {
        this(rendezvous, runId, me, secret, optionsHash, patienceNs, budgetNs, null, Protection.AUTO, null);
    }

    Caller caller() {
        return new Caller(rendezvous, runId, me.nonce(), secret, optionsHash, protection);
    }
}
