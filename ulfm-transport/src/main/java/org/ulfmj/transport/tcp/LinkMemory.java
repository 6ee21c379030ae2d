package org.ulfmj.transport.tcp;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * The memory in which all links of a process keep data frames until they are acknowledged ({@code ulfm.link.buffer}).
 * Memory that a link gives back is kept for the next link, because direct memory would not be freed before a garbage
 * collection. Under the engine lock.
 */
final class LinkMemory {
    private final long limitBytes;
    private final List<ByteBuffer> spare = new ArrayList<>(0);
    private long heldBytes;
    private long spareBytes;

    LinkMemory(long limitBytes) {
        this.limitBytes = limitBytes;
    }

    /**
     * Returns memory of this length, or spare memory that is longer, or null if the limit does not allow it. Longer
     * memory saves a link the steps by which it would grow again.
     *
     * @param isNeeded whether memory is given even beyond the limit, because the link holds no frame: each link may
     *     hold one
     */
    ByteBuffer take(int bytes, boolean isNeeded) {
        for (int i = spare.size() - 1; i >= 0; i--) {
            if (spare.get(i).capacity() >= bytes) {
                ByteBuffer taken = spare.remove(i).clear();
                spareBytes -= taken.capacity();
                return taken;
            }
        }
        if (heldBytes + bytes > limitBytes) {
            dropSpare();
        }
        if (!isNeeded && heldBytes + bytes > limitBytes) {
            return null;
        }
        ByteBuffer memory = ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
        heldBytes += bytes;
        return memory;
    }

    /**
     * Drops all spare memory, which is too short for the request, so that it does not count towards the limit any more.
     */
    private void dropSpare() {
        heldBytes -= spareBytes;
        spareBytes = 0;
        spare.clear();
    }

    /** Takes memory back that its link does not use any more: a later request may get it. */
    void give(ByteBuffer memory) {
        spare.add(memory);
        spareBytes += memory.capacity();
    }

    /**
     * Counts memory no longer that a link has replaced, to which a write that has begun may still refer. No link gets
     * this memory again.
     */
    void leave(ByteBuffer memory) {
        heldBytes -= memory.capacity();
    }

    /** Whether links hold more than half of the limit, so that they give back what they do not need at present. */
    boolean isScarce() {
        return heldBytes - spareBytes > limitBytes / 2;
    }

    /** All memory, of links and spare. */
    long heldBytes() {
        return heldBytes;
    }
}
