package org.ulfmj.agree.message;

import java.util.Arrays;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.WireFormatException;
import org.ulfmj.protocol.WireReader;
import org.ulfmj.protocol.WireWriter;

/**
 * The identity of a process, and where it can be reached.
 *
 * @param process slot and incarnation
 * @param nonce 64 random bits that the process drew once. They tell apart two processes that got the same slot and
 *     incarnation in two halves of a split
 * @param address the address to which others open lanes and links. This class does not look into it. Not to be changed,
 *     at most {@link #MAX_ADDRESS_BYTES}
 */
public record Contact(ProcessId process, long nonce, byte[] address) {
    /** The most bytes of an address. Host names and socket paths are short. */
    public static final int MAX_ADDRESS_BYTES = 1024;

    public static final int LEAST_BYTES = 2 * Integer.BYTES + Long.BYTES + Integer.BYTES;

    public Contact {
        if (address.length > MAX_ADDRESS_BYTES) {
            throw new IllegalArgumentException("the address of process " + process + " has " + address.length
                    + " bytes, at most " + MAX_ADDRESS_BYTES + " are allowed");
        }
    }

    /**
     * Returns the one of two contacts of a slot that counts: the one with the higher incarnation, then with the higher
     * nonce, then with the greater address. The order is total, so the order of the arguments does not matter.
     */
    public static Contact newer(Contact one, Contact other) {
        int order = Integer.compare(one.process.incarnation(), other.process.incarnation());
        if (order == 0) {
            order = Long.compare(one.nonce, other.nonce); // G3: by incarnation alone the first that came would count
        }
        if (order == 0) {
            order = Arrays.compare(one.address, other.address);
        }
        return order >= 0 ? one : other;
    }

    public int lengthBytes() {
        return LEAST_BYTES + address.length;
    }

    public void writeTo(WireWriter out) {
        out.putProcess(process).putLong(nonce).putBlob(address);
    }

    public static Contact readFrom(WireReader in) {
        ProcessId process = in.getProcess();
        long nonce = in.getLong();
        int length = in.getInt();
        if (length > MAX_ADDRESS_BYTES) {
            throw new WireFormatException("address of " + length + " bytes");
        }
        return new Contact(process, nonce, in.getBytes(length));
    }

    /** Equality by content, also of the address. */
    @Override
    public boolean equals(Object other) {
        return other instanceof Contact that
                && process.equals(that.process)
                && nonce == that.nonce
                && Arrays.equals(address, that.address);
    }

    @Override
    public int hashCode() {
        return 31 * process.hashCode() + Long.hashCode(nonce);
    }

    @Override
    public String toString() {
        return process + "/" + Long.toHexString(nonce);
    }
}
