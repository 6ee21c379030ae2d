package org.ulfmj.transport.tcp;

import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;

/**
 * Views of the program's buffers, whose position and limit may be changed. A view is kept for the next use of the same
 * buffer. Only weak references to a buffer and its view are kept.
 */
final class MemoryViews {
    /** The number of buffers whose views are kept for use again. */
    private static final int MOST_KNOWN = 16;

    private record Known(WeakReference<ByteBuffer> memory, WeakReference<ByteBuffer> view) {}

    private final Known[] known = new Known[MOST_KNOWN];
    private int next;

    /** The view of a direct buffer of the program. Two calls for the same buffer may give the same view. */
    ByteBuffer of(ByteBuffer memory) {
        for (Known one : known) {
            ByteBuffer view = one != null && one.memory.get() == memory ? one.view.get() : null;
            if (view != null) {
                return view;
            }
        }
        ByteBuffer view = memory.duplicate().clear();
        known[next] = new Known(new WeakReference<>(memory), new WeakReference<>(view));
        next = (next + 1) % MOST_KNOWN;
        return view;
    }
}
