package org.ulfmj.transport;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.ulfmj.protocol.ProcessId;

/**
 * Shared memory that one rank, its maker, writes, and other ranks of the host read: only the maker ever stores into it.
 *
 * <p>Words, which are aligned longs, announce the bytes: the maker stores plain bytes first and then a word with
 * release. A rank that reads that value of the word with acquire sees those bytes too. No method waits, locks or
 * allocates. The memory stays valid as long as this object is reachable, also after the end of its maker.
 */
public class Segment {
    private static final VarHandle WORD = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

    private final ProcessId maker;
    private final long id;
    private final ByteBuffer memory;

    /** @param memory direct, aligned to 8 bytes */
    public Segment(ProcessId maker, long id, ByteBuffer memory) {
        this.maker = maker;
        this.id = id;
        this.memory = memory.order(ByteOrder.nativeOrder());
    }

    public final ProcessId maker() {
        return maker;
    }

    /** The id by which other ranks open the segment; never 0. */
    public final long id() {
        return id;
    }

    /** The bytes of the segment, in native order. The caller must not change position and limit. */
    public final ByteBuffer memory() {
        return memory;
    }

    public final int lengthBytes() {
        return memory.capacity();
    }

    /** Reads a word with acquire: every byte that is read afterwards is at least as new as the word. */
    public long wordAcquire(int at) {
        return (long) WORD.getAcquire(memory, at);
    }

    /**
     * As {@link #wordAcquire}; besides, the read is never reordered before an earlier volatile store of the calling
     * thread.
     */
    public long wordVolatile(int at) {
        return (long) WORD.getVolatile(memory, at);
    }

    /**
     * Stores a word with release: a process that reads this value sees everything that was stored before. Only the
     * maker may call this method.
     */
    public void wordRelease(int at, long value) {
        WORD.setRelease(memory, at, value);
    }
}
