package mpi;

import java.lang.ref.WeakReference;
import java.nio.Buffer;

/**
 * Makes views of the program's buffers, each with all elements from 0 to the capacity. An operation that outlives its
 * call works on a view, because the program may move the position and limit of its buffer meanwhile. No operation moves
 * the position or limit of a view, so any number of operations may work on one view at a time, in any thread.
 *
 * <p>Each thread keeps the few views that it made last, for programs that pass the same buffers again and again. Kept
 * views do not keep a buffer of the program alive: the garbage collector may take them at any time.
 */
final class BufferViews {
    private static final PerThread<BufferViews> LATEST = new PerThread<>();
    private static final int KEPT = 4;

    private record Known(Buffer buffer, Buffer view) {}

    @SuppressWarnings({"unchecked", "rawtypes"}) // There are no generic arrays.
    private final WeakReference<Known>[] kept = new WeakReference[KEPT];

    private int next;

    private BufferViews() {}

    /** Returns the views of the calling thread. */
    static BufferViews ofThread() {
        BufferViews views = LATEST.get();
        if (views == null) {
            views = new BufferViews();
            LATEST.set(views);
        }
        return views;
    }

    /** Returns a view of the whole buffer. */
    static Buffer of(Buffer buffer) {
        return ofThread().view(buffer);
    }

    /** Returns a view of the whole buffer. */
    Buffer view(Buffer buffer) {
        for (WeakReference<Known> each : kept) {
            Known known = each == null ? null : each.get();
            if (known != null && known.buffer == buffer) {
                return known.view;
            }
        }
        Buffer view = BufferMemory.viewed(buffer, buffer.duplicate().clear());
        kept[next] = new WeakReference<>(new Known(buffer, view));
        next = (next + 1) % KEPT;
        return view;
    }
}
