package org.ulfmj.rabit.engine;

import java.nio.ByteBuffer;
import java.util.function.Supplier;
import java.util.zip.CRC32C;

/**
 * A model at a version. One that is saved lazily is a reference to the program's object until somebody asks for its bytes. For
 * one thread.
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
     * @throws IllegalStateException if its bytes are not those that were saved
     */
    public static Checkpoint received(int version, long epoch, int crc, ByteBuffer bytes) {
        Checkpoint checkpoint = of(version, epoch, bytes);
        if (checkpoint.crc != crc) {
            throw new IllegalStateException("the checkpoint of version " + version + " (" + bytes.remaining()
                    + " bytes) came with checksum " + checkpoint.crc + ", not " + crc);
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

    /** In which it was made. */
    public long epoch() {
        return epoch;
    }

    /** Saves it if it is not yet. */
    public ByteBuffer bytes() {
        if (bytes == null) {
            set(lazy.get());
            lazy = null;
        }
        return bytes.duplicate();
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
