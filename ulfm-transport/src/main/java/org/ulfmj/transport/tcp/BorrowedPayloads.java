package org.ulfmj.transport.tcp;

import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;

/**
 * The borrowed payloads of the frames in a {@link FrameRing}: they lie in the program's memory and not in the ring.
 * Each is found by the position of its frame; the oldest comes first. After a payload was given back, only weak
 * references to its memory and to a view of the memory are kept, so that a program that sends from a few buffers again
 * and again makes no garbage.
 */
final class BorrowedPayloads {
    private static final int MOST = 16;
    /** The number of buffers of the program whose views are kept for use again. */
    private static final int MOST_KNOWN = 4;

    /** Memory of the program, and a view of the memory with a separate position and limit. */
    private record Known(WeakReference<ByteBuffer> memory, WeakReference<ByteBuffer> view) {}

    private final long[] frames = new long[MOST];
    private final ByteBuffer[] views = new ByteBuffer[MOST];
    private final int[] offsets = new int[MOST];
    private final int[] lengths = new int[MOST];
    private int count;

    private final Known[] known = new Known[MOST_KNOWN];
    private int nextKnown;

    boolean isEmpty() {
        return count == 0;
    }

    boolean isFull() {
        return count == MOST;
    }

    void add(long frame, ByteBuffer memory, int offset, int length) {
        frames[count] = frame;
        views[count] = viewOf(memory);
        offsets[count] = offset;
        lengths[count] = length;
        count++;
    }

    /** A view of the program's memory whose position and limit may be changed. */
    private ByteBuffer viewOf(ByteBuffer memory) {
        for (Known one : known) {
            ByteBuffer view = one != null && one.memory.get() == memory ? one.view.get() : null;
            if (view != null) {
                return view;
            }
        }
        ByteBuffer view = memory.duplicate().clear();
        known[nextKnown] = new Known(new WeakReference<>(memory), new WeakReference<>(view));
        nextKnown = (nextKnown + 1) % MOST_KNOWN;
        return view;
    }

    /** The number of the borrowed payload of the frame at a position; −1 if the payload lies in the ring. */
    int of(long frame) {
        for (int i = 0; i < count; i++) {
            if (frames[i] == frame) {
                return i;
            }
        }
        return -1;
    }

    /** The bytes of the payload with this number, to be written to a channel; valid until the next call. */
    ByteBuffer bytes(int number) {
        return views[number].limit(offsets[number] + lengths[number]).position(offsets[number]);
    }

    /** Copies all borrowed payloads into the room that the ring has kept for them. */
    void copyInto(FrameRing ring) {
        for (int i = 0; i < count; i++) {
            ring.putPayload(frames[i], views[i].clear(), offsets[i], lengths[i]);
        }
    }

    /** Forgets the payloads of the frames before a position. */
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
