package org.ulfmj.rendezvous.client;

import java.net.InetSocketAddress;
import org.ulfmj.transport.auth.JobSecret;
import org.ulfmj.transport.record.Protection;

/** A process that opens connections to the launcher, and with what both prove that they belong to one job. */
record Caller(
        InetSocketAddress rendezvous,
        String runId,
        long nonce,
        JobSecret secret,
        long optionsHash,
        Protection protection) {
    /** The same process with another address, at which the launcher or another coordinator listens. */
    Caller at(InetSocketAddress address) {
        return new Caller(address, runId, nonce, secret, optionsHash, protection);
    }

    /** The same process, whose connections carry encrypted records no matter what it sees of the path. */
    Caller withRecords() {
        return new Caller(rendezvous, runId, nonce, secret, optionsHash, Protection.AEAD);
    }
}
