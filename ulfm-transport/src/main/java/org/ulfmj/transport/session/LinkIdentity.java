package org.ulfmj.transport.session;

import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.WireReader;
import org.ulfmj.protocol.WireWriter;

/**
 * The identity of one end of a session. The nonce tells apart two processes that got one name in a split; the
 * membership epoch is no part of it, as entering an epoch touches no session (rule "identity").
 */
public record LinkIdentity(ProcessId id, long nonce) {
    void writeTo(WireWriter out) {
        out.putProcess(id).putLong(nonce);
    }

    static LinkIdentity readFrom(WireReader in) {
        return new LinkIdentity(in.getProcess(), in.getLong());
    }

    /** Written out: the one a record is given is bootstrapped at its first call, which costs a starting rank 20 ms. */
    @Override
    public boolean equals(Object other) {
        return other instanceof LinkIdentity that && nonce == that.nonce && id.equals(that.id);
    }

    @Override
    public int hashCode() {
        return Long.hashCode(nonce);
    }

    @Override
    public String toString() {
        return id + "#" + Long.toHexString(nonce);
    }
}
