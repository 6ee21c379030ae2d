package mpi;

/**
 * A thread's own two message descriptions, used again by each of its blocking calls so that these allocate none. A call
 * that fails does not give them back: the next one then gets new ones, and nothing late can reach its buffers.
 */
final class Spans {
    private static final ThreadLocal<Spans> FREE = new ThreadLocal<>();

    final Span outgoing = new Span();
    final Span incoming = new Span();

    private Spans() {}

    static Spans take() {
        Spans spans = FREE.get();
        if (spans == null) {
            return new Spans();
        }
        FREE.set(null);
        return spans;
    }

    void giveBack() {
        outgoing.clear();
        incoming.clear();
        FREE.set(this);
    }
}
