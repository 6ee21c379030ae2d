package org.ulfmj.protocol;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;

/**
 * HMAC-SHA-256 (RFC 2104) over a {@link MessageDigest}: loading {@code javax.crypto.Mac} would cost a starting rank
 * more than everything else it does with the secret. Not thread-safe.
 */
public final class HmacSha256 {
    public static final int LENGTH_BYTES = 32;
    private static final int BLOCK_BYTES = 64;

    private final MessageDigest digest;
    private final byte[] innerPad;
    private final byte[] outerPad;

    public HmacSha256(byte[] key) {
        digest = sha256();
        byte[] block = Arrays.copyOf(key.length > BLOCK_BYTES ? digest.digest(key) : key, BLOCK_BYTES);
        innerPad = xor(block, 0x36);
        outerPad = xor(block, 0x5c);
    }

    /** The code of the concatenation of {@code parts}, {@link #LENGTH_BYTES} long. */
    public byte[] of(byte[]... parts) {
        digest.reset();
        digest.update(innerPad);
        for (byte[] part : parts) {
            digest.update(part);
        }
        byte[] inner = digest.digest();
        digest.update(outerPad);
        return digest.digest(inner);
    }

    private static byte[] xor(byte[] block, int pad) {
        byte[] result = new byte[BLOCK_BYTES];
        for (int i = 0; i < BLOCK_BYTES; i++) {
            result[i] = (byte) (block[i] ^ pad);
        }
        return result;
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
