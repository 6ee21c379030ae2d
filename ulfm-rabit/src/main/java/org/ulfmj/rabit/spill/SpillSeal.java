package org.ulfmj.rabit.spill;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.ulfmj.protocol.WireFormatException;
import org.ulfmj.protocol.WireReader;
import org.ulfmj.protocol.WireWriter;

/**
 * What tells a job's checkpoints on a disk from everything else that lies there: a name that no other job has, and a
 * code that only holders of the job's secret can make.
 *
 * <pre>
 *   code       32 bytes, HMAC-SHA-256 over all that follows
 *   length      4 bytes, of the head
 *   head        magic, name of the job, slot, version, whether there is a local model
 *   content     a {@link org.ulfmj.rabit.engine.Snapshot}
 * </pre>
 */
public final class SpillSeal {
    private static final String ALGORITHM = "HmacSHA256";
    private static final int CODE_BYTES = 32;
    private static final int MAGIC = 0x52535031;
    private static final int MOST_HEAD_BYTES = 4096;

    private final String job;
    private final byte[] key;

    /** @param job name of the job, which is part of files' names, so it holds letters, digits and dashes only */
    public SpillSeal(String job, byte[] key) {
        this.job = job;
        this.key = key.clone();
    }

    public String job() {
        return job;
    }

    /** Returns what lies in a file in front of the content: the code, the length of the head, and the head. */
    public ByteBuffer head(int slot, int version, boolean hasLocal, ByteBuffer content) {
        byte[] head = names(slot, version, hasLocal);
        ByteBuffer sealed = ByteBuffer.allocate(CODE_BYTES + Integer.BYTES + head.length);
        sealed.position(CODE_BYTES);
        sealed.putInt(head.length).put(head);
        byte[] code = code(sealed.duplicate().flip().position(CODE_BYTES), content.duplicate());
        return sealed.put(0, code).flip();
    }

    /** Returns the content of a file; null if the file is damaged, or is not of this job, slot, version and kind. */
    public ByteBuffer open(ByteBuffer file, int slot, int version, boolean hasLocal) {
        if (file.remaining() < CODE_BYTES + Integer.BYTES) {
            return null;
        }
        ByteBuffer rest = file.slice();
        byte[] code = new byte[CODE_BYTES];
        rest.get(code);
        if (!MessageDigest.isEqual(code, code(rest.duplicate()))) {
            return null;
        }
        int length = rest.getInt();
        if (length < 0 || length > Math.min(MOST_HEAD_BYTES, rest.remaining())) {
            return null;
        }
        byte[] head = new byte[length];
        rest.get(head);
        try {
            WireReader in = new WireReader(head);
            boolean isIt = in.getInt() == MAGIC
                    && in.getText().equals(job)
                    && in.getInt() == slot
                    && in.getInt() == version
                    && in.getByte() == (hasLocal ? 1 : 0);
            return isIt ? rest.slice() : null;
        } catch (WireFormatException other) {
            return null;
        }
    }

    private byte[] names(int slot, int version, boolean hasLocal) {
        return new WireWriter(MOST_HEAD_BYTES)
                .putInt(MAGIC)
                .putText(job)
                .putInt(slot)
                .putInt(version)
                .putByte(hasLocal ? 1 : 0)
                .toByteArray();
    }

    private byte[] code(ByteBuffer... parts) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(key, ALGORITHM));
            for (ByteBuffer part : parts) {
                mac.update(part);
            }
            return mac.doFinal();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has " + ALGORITHM, e);
        }
    }
}
