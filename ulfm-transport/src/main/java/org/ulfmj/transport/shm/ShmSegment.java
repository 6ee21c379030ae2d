package org.ulfmj.transport.shm;

import java.io.File;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import org.ulfmj.protocol.ProcessId;

/**
 * One shared file, mapped. Between two processes: the one that made it and the one it was made for; or, as a mailbox,
 * between one and all others. Every page of it is reserved, so that no access can fail for want of memory.
 *
 * <p>The memory stays valid as long as this object is reachable, no matter what becomes of the file's name: unlinked or
 * swept files live on in their mappings, and are never truncated.
 */
public final class ShmSegment {
    /** Bytes of the file in front of {@link #memory}. */
    static final int HEADER_BYTES = 128;
    /** Largest {@link #memory}. */
    public static final int MAX_BYTES = 1 << 28;

    private final long id;
    private final File file;
    private final ProcessId maker;
    private final ProcessId peer;
    private final MappedByteBuffer mapping;
    private final ByteBuffer memory;

    ShmSegment(long id, File file, ProcessId maker, ProcessId peer, MappedByteBuffer mapping) {
        this.id = id;
        this.file = file;
        this.maker = maker;
        this.peer = peer;
        this.mapping = mapping;
        this.memory =
                mapping.slice(HEADER_BYTES, mapping.capacity() - HEADER_BYTES).order(ByteOrder.nativeOrder());
    }

    /** The id by which the other end opens it: random, and never 0. */
    public long id() {
        return id;
    }

    String name() {
        return file.getName();
    }

    /** Its maker. */
    public ProcessId maker() {
        return maker;
    }

    /** The other end; of a mailbox its owner. */
    public ProcessId peer() {
        return peer;
    }

    /**
     * The bytes that both share, at first zero; the same buffer each time, direct, in native order, aligned to 128
     * bytes. Its position and limit are the caller's to leave alone.
     */
    public ByteBuffer memory() {
        return memory;
    }

    /** What the garbage collector has to find before the memory is given back. */
    MappedByteBuffer mapping() {
        return mapping;
    }

    public int lengthBytes() {
        return memory.capacity();
    }

    /**
     * Takes its name away: no process opens it any more, and nothing is left of it when both processes have ended,
     * however they end. Best done as soon as both ends have it open. Any thread; a second time does nothing.
     */
    public void unlink() {
        file.delete();
    }

    @Override
    public String toString() {
        return name() + " (" + lengthBytes() + " bytes)";
    }
}
