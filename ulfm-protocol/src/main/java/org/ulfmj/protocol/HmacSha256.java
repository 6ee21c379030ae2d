package org.ulfmj.protocol;

import java.util.Arrays;

/**
 * HMAC-SHA-256 (RFC 2104) over this package's {@link Sha256}, because loading {@code javax.crypto.Mac} would delay a
 * starting rank. Not thread-safe.
 */
public final class HmacSha256 {
    public static final int LENGTH_BYTES = Sha256.LENGTH_BYTES;

    /**
     * States of SHA-256 after the padded key was hashed: {@code inner} is the state in which the inner hash of every
     * HMAC begins, {@code outer} that of the outer hash.
     */
    private final Sha256 inner = new Sha256();

    private final Sha256 outer = new Sha256();
    private final Sha256 work = new Sha256();

    public HmacSha256(byte[] key) {
        byte[] block = Arrays.copyOf(key.length > Sha256.BLOCK_BYTES ? Sha256.of(key) : key, Sha256.BLOCK_BYTES);
        inner.update(xor(block, 0x36));
        outer.update(xor(block, 0x5c));
    }

    /** Returns the HMAC of the concatenation of {@code parts}, {@link #LENGTH_BYTES} long. */
    public byte[] of(byte[]... parts) {
        work.startFrom(inner);
        for (byte[] part : parts) {
            work.update(part);
        }
        byte[] innerHash = work.digest();
        work.startFrom(outer);
        work.update(innerHash);
        return work.digest();
    }

    private static byte[] xor(byte[] block, int pad) {
        byte[] result = new byte[Sha256.BLOCK_BYTES];
        for (int i = 0; i < Sha256.BLOCK_BYTES; i++) {
            result[i] = (byte) (block[i] ^ pad);
        }
        return result;
    }
}
