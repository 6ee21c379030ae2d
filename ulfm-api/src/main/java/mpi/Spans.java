package mpi;

import org.ulfmj.runtime.Arrival;
import org.ulfmj.runtime.message.PassingPayload;

/**
 * Two message descriptions. Each thread has one such object for all its blocking calls, so that they allocate none. A
 * call that fails does not give the object back: the next call then gets a new one, and late data of the failed call
 * cannot reach the buffers of the next.
 */
final class Spans {
    private static final ThreadLocal<Spans> LATEST = new ThreadLocal<>();

    private final Span outgoing = new Span();
    private final Span incoming = new Span();
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

    /** Describes a message that is sent. */
    PassingPayload send(Object buffer, int count, Datatype type) {
        return type.isPlain() ? outgoing.set(buffer, 0, count, type) : Strided.items(buffer, 0, count, type);
    }

    /** Describes the memory of a receive. */
    PassingPayload receive(Object buffer, int count, Datatype type) {
        return type.isPlain() ? incoming.set(buffer, 0, count, type) : Strided.items(buffer, 0, count, type);
    }

    void giveBack() {
        outgoing.clear();
        incoming.clear();
        isInUse = false;
    }
}
