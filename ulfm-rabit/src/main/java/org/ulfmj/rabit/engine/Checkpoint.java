package org.ulfmj.rabit.engine;

import java.nio.ByteBuffer;
import java.util.function.Supplier;
import java.util.zip.CRC32C;

/**
 * A model at a version. One that is saved lazily is a reference to the program's object until a rank asks for its
 * bytes. For one thread.
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
     * @param epoch in which it was made
     * @param bytes from position to limit; not changed by anybody from now on
     */
    public static Checkpoint of(int version, long epoch, ByteBuffer bytes) {
        Checkpoint checkpoint = new Checkpoint(version, epoch);
        checkpoint.set(bytes);
        return checkpoint;
    }

    /** @param model is asked at most once, before the next checkpoint of the program has returned */
    public static Checkpoint lazy(int version, long epoch, Supplier<ByteBuffer> model) {
        Checkpoint checkpoint = new Checkpoint(version, epoch);
        checkpoint.lazy = model;
        return checkpoint;
    }

    /**
     * One that came from elsewhere.
     *
     * @throws ModelFault if its bytes are not those that were saved
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

    /** The epoch in which it was made. */
    public long epoch() {
        return epoch;
    }

    /**
     * Saves it if it is not yet. They are the program's own memory where its model gave that.
     *
     * @throws ModelFault if the program cannot save it
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
     * Compares it with a copy elsewhere.
     *
     * @param receipt the checksum of that
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

    /** Of {@link #bytes}. */
    public int crc() {
        bytes();
        return crc;
    }

    /** −1 while it is not saved. */
    long lengthBytes() {
        return bytes == null ? -1 : bytes.remaining();
    }
}
