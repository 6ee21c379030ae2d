package mpi;

import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Views of direct buffers of the program, each with a separate position and limit, for collectives that work in the
 * program's memory. A program calls with a few buffers again and again, so the views of the last ones are used again.
 * Only weak references are kept: a program that drops a buffer has its memory back.
 *
 * <p>It belongs to one buffer argument ({@link Side}), which is used by one call at a time, and which a call that
 * failed does not give back: so no call sees a view that another one still uses.
 */
final class KnownViews {
    private static final int MOST = 4;

    private record Known(WeakReference<ByteBuffer> buffer, WeakReference<ByteBuffer> view) {}

    private final Known[] known = new Known[MOST];
    private int next;

    /** Returns a view of the program's buffer in native order; the caller sets its position and limit. */
    ByteBuffer of(ByteBuffer program) {
        for (Known one : known) {
            if (one != null && one.buffer.refersTo(program)) {
                ByteBuffer view = one.view.get();
                if (view != null) {
                    return view;
                }
            }
        }
        ByteBuffer view = program.duplicate().order(ByteOrder.nativeOrder());
        known[next] = new Known(new WeakReference<>(program), new WeakReference<>(view));
        next = (next + 1) % MOST;
        return view;
    }
}
