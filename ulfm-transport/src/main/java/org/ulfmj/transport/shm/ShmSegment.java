package org.ulfmj.transport.shm;

import java.io.File;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import org.ulfmj.protocol.ProcessId;

/**
 * One mapped shared file. It is shared by two processes, its maker and the process that it was made for, or by its
 * maker and all others, as a mailbox is. Every page of the file is reserved, so that no access can fail for lack of
 * memory.
 *
 * <p>The memory stays valid as long as this object is reachable, also after the file was unlinked: an unlinked file
 * lives on in its mappings, and is never truncated.
 */
public final class ShmSegment {
    /** Bytes of the file in front of {@link #memory}. */
    static final int HEADER_BYTES = 128;
    /** The largest length of {@link #memory}. */
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

    /** The id by which other processes open the file. */
    public long id() {
        return id;
    }

    String name() {
        return file.getName();
    }

    /** The process that made the file. */
    public ProcessId maker() {
        return maker;
    }

    /** The process at the other end. For a file that was made for all others: its maker. */
    public ProcessId peer() {
        return peer;
    }

    /**
     * The bytes that the processes share, at first zero. Every call returns the same buffer: direct, in native order,
     * aligned to 128 bytes. The caller must not change its position and limit.
     */
    public ByteBuffer memory() {
        return memory;
    }

    /** The mapping of the whole file. The file is unmapped when the garbage collector finds the mapping unreachable. */
    MappedByteBuffer mapping() {
        return mapping;
    }

    public int lengthBytes() {
        return memory.capacity();
    }

    /**
     * Unlinks the file: no process can open it any more, and nothing is left of it once no process has it mapped. Best
     * done as soon as both ends have the file open. Any thread; a second call does nothing.
     */
    public void unlink() {
        file.delete();
    }

    @Override
    public String toString() {
        return name() + " (" + lengthBytes() + " bytes)";
    }
}
