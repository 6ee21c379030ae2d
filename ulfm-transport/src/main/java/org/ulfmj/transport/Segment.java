package org.ulfmj.transport;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.ulfmj.protocol.ProcessId;

/**
 * Memory that one rank writes and others of its host read: only its maker ever stores into it.
 *
 * <p>Words, aligned longs, say what is there: the maker stores plain bytes first and then a word with release; who
 * reads the word with acquire and finds what it waits for sees those bytes too. Nothing here waits, locks or allocates.
 * The memory stays valid as long as this object is reachable, no matter what becomes of its maker.
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

    /** The id by which others open it; never 0. */
    public final long id() {
        return id;
    }

    /** Its bytes in native order. Position and limit are the caller's to leave alone. */
    public final ByteBuffer memory() {
        return memory;
    }

    public final int lengthBytes() {
        return memory.capacity();
    }

    /** What is read after it is at least as new as the word. */
    public long wordAcquire(int at) {
        return (long) WORD.getAcquire(memory, at);
    }

    /** The maker's alone: everything stored before it is there for any process that reads this value. */
    public void wordRelease(int at, long value) {
        WORD.setRelease(memory, at, value);
    }
}
