package org.ulfmj.rabit.engine;

import java.nio.ByteBuffer;
import java.util.function.Supplier;
import java.util.zip.CRC32C;

/**
 * The model of a version. A model that is saved lazily is a reference to the program's object until its bytes are asked
 * for. For one thread.
 */
public final class Checkpoint {
    private final int version;
    private final long epoch;
    private Supplier<ByteBuffer> lazy;
    private ByteBuffer bytes;
    private int crc;

    private Checkpoint(int version, long epoch) {
        this.version = version;
        this.epoch = epoch;
    }

    /**
     * @param epoch the epoch in which the checkpoint was made
     * @param bytes the model, from position to limit; not to be changed from now on
     */
    public static Checkpoint of(int version, long epoch, ByteBuffer bytes) {
        Checkpoint checkpoint = new Checkpoint(version, epoch);
        checkpoint.set(bytes);
        return checkpoint;
    }

    /** @param model gives the bytes; not called again after it has given them */
    public static Checkpoint lazy(int version, long epoch, Supplier<ByteBuffer> model) {
        Checkpoint checkpoint = new Checkpoint(version, epoch);
        checkpoint.lazy = model;
        return checkpoint;
    }

    /**
     * A checkpoint that came from another rank or from a disk.
     *
     * @throws ModelFault if the checksum of its bytes is not {@code crc}
     */
    public static Checkpoint received(int version, long epoch, int crc, ByteBuffer bytes) {
        Checkpoint checkpoint = of(version, epoch, bytes);
        if (checkpoint.crc != crc) {
            throw new ModelFault(
                    "the checkpoint of version " + version + " (" + bytes.remaining() + " bytes) came with checksum "
                            + Integer.toHexString(checkpoint.crc) + ", not " + Integer.toHexString(crc),
                    null);
        }
        return checkpoint;
    }

    private void set(ByteBuffer model) {
        bytes = model.slice().asReadOnlyBuffer();
        crc = crc(bytes);
    }

    static int crc(ByteBuffer bytes) {
        CRC32C sum = new CRC32C();
        sum.update(bytes.duplicate());
        return (int) sum.getValue();
    }

    public int version() {
        return version;
    }

    /** The epoch in which the checkpoint was made. */
    public long epoch() {
        return epoch;
    }

    /**
     * The bytes of the model. A model that is not saved yet is saved now. If the program's model gave the program's own
     * memory, the bytes are that memory.
     *
     * @throws ModelFault if the program cannot save the model
     */
    public ByteBuffer bytes() {
        if (bytes == null) {
            try {
                set(lazy.get());
            } catch (RuntimeException thrown) {
                throw new ModelFault("the model that was given to lazyCheckpoint cannot be saved: " + thrown, thrown);
            }
            lazy = null;
        }
        return bytes.duplicate();
    }

    /**
     * The bytes, for a rank that goes on from them.
     *
     * @throws ModelFault as {@link #bytes}, and if the program has written to what it had saved
     */
    public ByteBuffer unchanged() {
        ByteBuffer now = bytes();
        if (crc(now) != crc) {
            throw new ModelFault(
                    "the model of version " + version + " (" + now.remaining() + " bytes) is not what was saved: its"
                            + " checksum was " + Integer.toHexString(crc) + " and is "
                            + Integer.toHexString(crc(now))
                            + " now. Nothing may write to what Model.save has returned: a copy, not a view of the"
                            + " program's memory",
                    null);
        }
        return now;
    }

    /**
     * Compares this model with a copy at another rank.
     *
     * @param receipt the checksum of the copy
     * @throws ModelFault if they differ
     */
    public void requireCopied(ByteBuffer receipt, int byRank) {
        if (receipt.remaining() != Integer.BYTES || receipt.getInt(receipt.position()) != crc) {
            throw new ModelFault(
                    "rank " + byRank + " has got another local model of version " + version
                            + " than this rank has sent",
                    null);
        }
    }

    /** The checksum of {@link #bytes}. */
    public int crc() {
        bytes();
        return crc;
    }

    /** The length of the model; −1 while it is not saved. */
    long lengthBytes() {
        return bytes == null ? -1 : bytes.remaining();
    }
}
