package org.ulfmj.rendezvous;

import org.ulfmj.protocol.ProcessId;
import org.ulfmj.transport.MemberRecord;
import org.ulfmj.transport.host.HostProcess;

/** Made-up member records. */
public final class Members {
    private Members() {}

    /** Returns the record of the first process of a slot, with pid {@code 4000 + slot}. */
    public static MemberRecord member(int slot, long nonce) {
        return member(ProcessId.of(slot), nonce, 4000 + slot);
    }

    public static MemberRecord member(ProcessId id, long nonce, long pid) {
        return new MemberRecord(
                id,
                nonce,
                0,
                "127.0.0.1",
                5000 + id.slot(),
                "/tmp/job/" + id.slot(),
                new HostProcess(pid, 77, 4026531836L, "boot"));
    }
}
