package mpi;

import org.ulfmj.runtime.Arrival;

/**
 * Two message descriptions. Each thread has one such object for all its blocking calls, so that they allocate none. A
 * call that fails does not give the object back: the next call then gets a new one, and late data of the failed call
 * cannot reach the buffers of the next.
 */
final class Spans {
    private static final ThreadLocal<Spans> LATEST = new ThreadLocal<>();

    final Span outgoing = new Span();
    final Span incoming = new Span();
    final Arrival arrival = new Arrival();
    private boolean isInUse;

    private Spans() {}

    static Spans take() {
        Spans spans = LATEST.get();
        if (spans == null || spans.isInUse) {
            spans = new Spans();
            LATEST.set(spans);
        }
        spans.isInUse = true;
        return spans;
    }

    void giveBack() {
        outgoing.clear();
        incoming.clear();
        isInUse = false;
    }
}
