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
 * @param optionsHash of the options that all processes of the job must share
 * @param patienceNs how long to wait for an answer; longer than the core waits for other ranks, so that the reason that
 *     the core gives is heard
 * @param budgetNs how long a broken connection may stay broken before the launcher counts as lost; not used with a
 *     lease
 * @param lease null for a process that may run without an answer of the launcher for ever
 * @param protection which connections carry encrypted records
 * @param whereabouts of a coordinator that may change; null where only the launcher is one. With it a coordinator that
 *     is out of reach never counts as lost once this process has joined
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
    /** A process of a job whose launcher alone is the coordinator. */
    public JoinRequest(
            InetSocketAddress rendezvous,
            String runId,
            MemberRecord me,
            JobSecret secret,
            long optionsHash,
            long patienceNs,
            long budgetNs,
            LeaseTimes lease,
            Protection protection) {
        this(rendezvous, runId, me, secret, optionsHash, patienceNs, budgetNs, lease, protection, null);
    }

    /** A process without a lease. */
    public JoinRequest(
            InetSocketAddress rendezvous,
            String runId,
            MemberRecord me,
            JobSecret secret,
            long optionsHash,
            long patienceNs,
            long budgetNs,
            Protection protection) {
        this(rendezvous, runId, me, secret, optionsHash, patienceNs, budgetNs, null, protection);
    }

    public JoinRequest {
        if (patienceNs <= 0 || budgetNs <= 0) {
            throw new IllegalArgumentException(
                    "patience (" + patienceNs + " ns) and budget (" + budgetNs + " ns) must be positive");
        }
    }

    /** With {@link Protection#AUTO}. */
    public JoinRequest(
            InetSocketAddress rendezvous,
            String runId,
            MemberRecord me,
            JobSecret secret,
            long optionsHash,
            long patienceNs,
            long budgetNs) {
        this(rendezvous, runId, me, secret, optionsHash, patienceNs, budgetNs, Protection.AUTO);
    }

    Caller caller() {
        return new Caller(rendezvous, runId, me.nonce(), secret, optionsHash, protection);
    }
}
