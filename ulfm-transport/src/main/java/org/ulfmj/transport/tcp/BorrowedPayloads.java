package org.ulfmj.transport.tcp;

import java.nio.ByteBuffer;

/**
 * The borrowed payloads of the frames in a {@link FrameRing}: they lie in the program's memory and not in the ring.
 * Each is found by the position of its frame; the oldest comes first. Once a payload is {@linkplain #release released},
 * this object has only the weak references of {@link MemoryViews} to its memory.
 */
final class BorrowedPayloads {
    private static final int MOST = 16;

    private final long[] frames = new long[MOST];
    private final ByteBuffer[] views = new ByteBuffer[MOST];
    private final int[] offsets = new int[MOST];
    private final int[] lengths = new int[MOST];
    private int count;

    private final MemoryViews known = new MemoryViews();

    boolean isEmpty() {
        return count == 0;
    }

    boolean isFull() {
        return count == MOST;
    }

    void add(long frame, ByteBuffer memory, int offset, int length) {
        frames[count] = frame;
        views[count] = known.of(memory);
        offsets[count] = offset;
        lengths[count] = length;
        count++;
    }

    /**
     * The index of the borrowed payload of the frame at this position of the ring; −1 if the payload lies in the ring.
     */
    int of(long frame) {
        for (int i = 0; i < count; i++) {
            if (frames[i] == frame) {
                return i;
            }
        }
        return -1;
    }

    /** The bytes of the payload with this index, to be written to a channel; valid until the next call. */
    ByteBuffer bytes(int number) {
        return views[number].limit(offsets[number] + lengths[number]).position(offsets[number]);
    }

    /** Copies all borrowed payloads into the room that the ring has kept for them. */
    void copyInto(FrameRing ring) {
        for (int i = 0; i < count; i++) {
            ring.putPayload(frames[i], views[i].clear(), offsets[i], lengths[i]);
        }
    }

    /** Forgets the payloads of the frames that begin before a position of the ring. */
    void release(long before) {
        int gone = 0;
        while (gone < count && frames[gone] < before) {
            gone++;
        }
        if (gone > 0) {
            System.arraycopy(frames, gone, frames, 0, count - gone);
            System.arraycopy(views, gone, views, 0, count - gone);
            System.arraycopy(offsets, gone, offsets, 0, count - gone);
            System.arraycopy(lengths, gone, lengths, 0, count - gone);
            int left = count - gone;
            while (count > left) {
                views[--count] = null;
            }
        }
    }
}
