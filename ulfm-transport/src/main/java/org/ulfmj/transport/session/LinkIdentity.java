package org.ulfmj.transport.session;

import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.WireReader;
import org.ulfmj.protocol.WireWriter;

/**
 * The identity of one end of a session. The nonce distinguishes two processes that were given the same id on the two
 * sides of a network partition. The membership epoch is not part of the identity, because a session goes on across
 * epochs (rule "identity").
 */
public record LinkIdentity(ProcessId id, long nonce) {
    void writeTo(WireWriter out) {
        out.putProcess(id).putLong(nonce);
    }

    static LinkIdentity readFrom(WireReader in) {
        return new LinkIdentity(in.getProcess(), in.getLong());
    }

    /** Written by hand: the method that Java generates for a record costs a starting rank 20 ms at its first call. */
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
