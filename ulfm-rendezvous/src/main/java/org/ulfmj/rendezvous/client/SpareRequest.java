package org.ulfmj.rendezvous.client;

import java.net.InetSocketAddress;
import org.ulfmj.transport.auth.JobSecret;
import org.ulfmj.transport.record.Protection;

/**
 * The arguments with which a spare, a process without a slot, waits for a slot.
 *
 * @param rendezvous where the launcher listens
 * @param runId name of the job
 * @param number that the launcher gave to this spare, from 1
 * @param nonce drawn once by this process, which later joins with the same one
 * @param secret of the job
 * @param optionsHash hash of the options that all processes of the job must share
 * @param budgetNs how long this process may be without an accepted connection before the launcher counts as lost
 * @param protection which connections carry encrypted records
 */
public record SpareRequest(
        InetSocketAddress rendezvous,
        String runId,
        int number,
        long nonce,
        JobSecret secret,
        long optionsHash,
        long budgetNs,
        Protection protection) {
    public SpareRequest {
        if (number < 1) {
            throw new IllegalArgumentException("spare " + number + "; they are counted from 1");
        }
        if (budgetNs <= 0) {
            throw new IllegalArgumentException("budget (" + budgetNs + " ns) must be positive");
        }
    }

    /** With {@link Protection#AUTO}. */
    public SpareRequest(
            InetSocketAddress rendezvous,
            String runId,
            int number,
            long nonce,
            JobSecret secret,
            long optionsHash,
            long budgetNs) {
        this(rendezvous, runId, number, nonce, secret, optionsHash, budgetNs, Protection.AUTO);
    }

    Caller caller() {
        return new Caller(rendezvous, runId, nonce, secret, optionsHash, protection);
    }
}
