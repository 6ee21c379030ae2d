package mpi;

import org.ulfmj.runtime.Arrival;

/**
 * A thread's own two message descriptions, used again by each of its blocking calls so that these allocate none. A call
 * that fails does not give them back: the next one then gets new ones, and nothing late can reach its buffers.
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
