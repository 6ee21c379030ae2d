package org.ulfmj.rendezvous.etcd;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.ulfmj.protocol.HmacSha256;
import org.ulfmj.rendezvous.embed.RendezvousFailure;
import org.ulfmj.rendezvous.marked.MarkedChanges;
import org.ulfmj.transport.auth.JobSecret;
import org.ulfmj.transport.auth.RandomBytes;

/**
 * Writes and reads the values of a job in the form in which etcd stores them.
 *
 * <pre>
 *   with the job's secret    1, nonce (12 bytes, random), AES-128-GCM of the value over its key, tag (16 bytes)
 *   without                  0, value
 * </pre>
 *
 * The cipher's key follows from secret and job. With a secret, a value that was changed, or stored under another key,
 * or without the secret, is refused. An older value of the same key is not refused: a process that may write to etcd
 * can put it back. Any thread.
 */
final class Sealing implements MarkedChanges.Seal {
    static final int MOST_ADDED_BYTES = 1 + 12 + 16;
    private static final String TRANSFORMATION = "AES/GCM/NoPadding";
    private static final int KEY_BYTES = 16;
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BYTES = 16;
    private static final byte OPEN = 0;
    private static final byte SEALED = 1;

    /** Null without a secret. */
    private final SecretKeySpec cipherKey;

    /** @param secret the job's secret; null for values that every process with access to etcd can read */
    Sealing(JobSecret secret, String job) {
        if (secret == null) {
            cipherKey = null;
            return;
        }
        byte[] label = "ulfm values in etcd\0".getBytes(StandardCharsets.UTF_8);
        byte[] code = new HmacSha256(secret.bytes()).of(label, job.getBytes(StandardCharsets.UTF_8));
        cipherKey = new SecretKeySpec(Arrays.copyOf(code, KEY_BYTES), "AES");
    }

    @Override
    public byte[] seal(byte[] key, byte[] value) {
        if (cipherKey == null) {
            byte[] open = new byte[1 + value.length];
            System.arraycopy(value, 0, open, 1, value.length);
            return open;
        }
        byte[] nonce = RandomBytes.next(NONCE_BYTES);
        byte[] sealed = new byte[1 + NONCE_BYTES + value.length + TAG_BYTES];
        sealed[0] = SEALED;
        System.arraycopy(nonce, 0, sealed, 1, NONCE_BYTES);
        try {
            cipher(Cipher.ENCRYPT_MODE, key, nonce).doFinal(value, 0, value.length, sealed, 1 + NONCE_BYTES);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java cannot seal by " + TRANSFORMATION, e);
        }
        return sealed;
    }

    /**
     * @throws RendezvousFailure.StateCorrupt if there is a secret and the value was not sealed with it under that key,
     *     or if there is none and the value is sealed or has another form
     */
    @Override
    public byte[] open(byte[] key, byte[] stored) {
        if (stored.length > 0 && stored[0] == OPEN && cipherKey == null) {
            return Arrays.copyOfRange(stored, 1, stored.length);
        }
        if (stored.length >= MOST_ADDED_BYTES && stored[0] == SEALED && cipherKey != null) {
            try {
                byte[] nonce = Arrays.copyOfRange(stored, 1, 1 + NONCE_BYTES);
                return cipher(Cipher.DECRYPT_MODE, key, nonce)
                        .doFinal(stored, 1 + NONCE_BYTES, stored.length - 1 - NONCE_BYTES);
            } catch (GeneralSecurityException wrong) {
                throw corrupt(key, "was not sealed with this job's secret, or was changed since");
            }
        }
        boolean isSealed = stored.length > 0 && stored[0] == SEALED;
        throw corrupt(
                key,
                isSealed && cipherKey == null
                        ? "is sealed, and this process has no secret: give secret_file"
                        : "was not stored by a process of this job that has its secret");
    }

    private static RendezvousFailure.StateCorrupt corrupt(byte[] key, String what) {
        return new RendezvousFailure.StateCorrupt(
                "the value of '" + new String(key, StandardCharsets.UTF_8) + "' in etcd " + what);
    }

    private Cipher cipher(int mode, byte[] key, byte[] nonce) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance(TRANSFORMATION);
        cipher.init(mode, cipherKey, new GCMParameterSpec(Byte.SIZE * TAG_BYTES, nonce));
        cipher.updateAAD(key);
        return cipher;
    }
}
