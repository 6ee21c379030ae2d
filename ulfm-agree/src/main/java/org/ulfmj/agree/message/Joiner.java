package org.ulfmj.agree.message;

import java.util.Arrays;
import java.util.Comparator;
import org.ulfmj.protocol.WireFormatException;
import org.ulfmj.protocol.WireReader;
import org.ulfmj.protocol.WireWriter;

/**
 * A process that waits to be let in by grow(). It has no slot: the decision of an agreement gives it one (G2). Joiners
 * are let in in their natural order: by host, then by place on the host, then by nonce, then by address.
 *
 * @param hostOrder place of its host among the hosts, as the launcher announces it
 * @param localIndex its place among the processes of its host
 * @param nonce 64 random bits that the process drew once. Until it has a slot they are its only name
 * @param address as in {@link Contact}. Not to be changed, at most {@link Contact#MAX_ADDRESS_BYTES}
 */
public record Joiner(int hostOrder, int localIndex, long nonce, byte[] address) implements Comparable<Joiner> {
    static final int LEAST_BYTES = 2 * Integer.BYTES + Long.BYTES + Integer.BYTES;

    private static final Comparator<Joiner> ORDER = Comparator.comparingInt(Joiner::hostOrder)
            .thenComparingInt(Joiner::localIndex)
            .thenComparingLong(Joiner::nonce)
            .thenComparing(Joiner::address, Arrays::compare);

    public Joiner {
        if (hostOrder < 0 || localIndex < 0) {
            throw new IllegalArgumentException("place " + localIndex + " on host " + hostOrder + " is below 0");
        }
        if (address.length > Contact.MAX_ADDRESS_BYTES) {
            throw new IllegalArgumentException("the address of joiner " + Long.toHexString(nonce) + " has "
                    + address.length + " bytes, at most " + Contact.MAX_ADDRESS_BYTES + " are allowed");
        }
    }

    int lengthBytes() {
        return LEAST_BYTES + address.length;
    }

    void writeTo(WireWriter out) {
        out.putInt(hostOrder).putInt(localIndex).putLong(nonce).putBlob(address);
    }

    static Joiner readFrom(WireReader in) {
        int hostOrder = in.getInt();
        int localIndex = in.getInt();
        long nonce = in.getLong();
        int length = in.getInt();
        if (hostOrder < 0 || localIndex < 0 || length > Contact.MAX_ADDRESS_BYTES) {
            throw new WireFormatException("a joiner at place " + localIndex + " of host " + hostOrder
                    + " with an address of " + length + " bytes");
        }
        return new Joiner(hostOrder, localIndex, nonce, in.getBytes(length));
    }

    @Override
    public int compareTo(Joiner other) {
        return ORDER.compare(this, other);
    }

    /** Equality by content, also of the address. */
    @Override
    public boolean equals(Object other) {
        return other instanceof Joiner that && compareTo(that) == 0;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(nonce);
    }

    @Override
    public String toString() {
        return "joiner " + hostOrder + "." + localIndex + "/" + Long.toHexString(nonce);
    }
}
