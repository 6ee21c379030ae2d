package org.ulfmj.protocol;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The hash that names communicators: the first 8 bytes, little endian, of HMAC-SHA-256 under the job secret. Two ranks
 * of a job that hash the same fields get the same name without exchanging a message; without the secret a process
 * cannot compute one.
 */
public final class Digest64 {
    private final HmacSha256 hmac;

    /** @param secret the job's secret, see {@code JobSecret} in the transport */
    public Digest64(byte[] secret) {
        this.hmac = new HmacSha256(secret);
    }

    /** Returns the hash of the bytes that were written into {@code fields} so far. */
    public long of(WireWriter fields) {
        return ByteBuffer.wrap(hmac.of(fields.toByteArray()))
                .order(ByteOrder.LITTLE_ENDIAN)
                .getLong();
    }
}
