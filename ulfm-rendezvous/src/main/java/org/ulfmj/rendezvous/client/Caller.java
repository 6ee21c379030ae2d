package org.ulfmj.rendezvous.client;

import java.net.InetSocketAddress;
import org.ulfmj.transport.auth.JobSecret;
import org.ulfmj.transport.record.Protection;

/** A caller of the launcher, and how both prove that they belong to one job. */
record Caller(
        InetSocketAddress rendezvous,
        String runId,
        long nonce,
        JobSecret secret,
        long optionsHash,
        Protection protection) {
    /** The same caller of a launcher, or another coordinator, at this address. */
    Caller at(InetSocketAddress address) {
        return new Caller(address, runId, nonce, secret, optionsHash, protection);
    }

    /** The same caller, whose connections carry records no matter what it sees of the path. */
    Caller withRecords() {
        return new Caller(rendezvous, runId, nonce, secret, optionsHash, Protection.AEAD);
    }
}
