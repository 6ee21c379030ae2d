package mpi;

import java.nio.Buffer;
import org.ulfmj.runtime.Arrival;
import org.ulfmj.runtime.message.PassingPayload;

/**
 * Two message descriptions, one to send and one to receive, with what else a point-to-point call needs. A thread uses
 * one object again for its calls; for a type with gaps, a call makes a new description all the same. A call that fails
 * does not give the object back: the next call then gets a new one, and late data of the failed call cannot reach the
 * buffers of the next.
 */
final class Spans {
    private static final PerThread<Spans> LATEST = new PerThread<>();

    private final BufferViews views = BufferViews.ofThread();
    private final Span outgoing = new Span();
    private final Span incoming = new Span();
    final Arrival arrival = new Arrival();
    /** The two halves of a sendRecv; the caller sets their arguments. */
    final Half sent = new Half();

    final Half received = new Half();
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

    /** Describes a message that is sent from a buffer of the program; the send may go on when the call has returned. */
    PassingPayload sendLater(Buffer buffer, int count, Datatype type) {
        return type.isPlain() ? outgoing.setLater(views, buffer, count, type) : Strided.items(buffer, 0, count, type);
    }

    /** Describes the memory of a receive that goes on when the call has returned. */
    PassingPayload receiveLater(Buffer buffer, int count, Datatype type) {
        return type.isPlain() ? incoming.setLater(views, buffer, count, type) : Strided.items(buffer, 0, count, type);
    }

    /** Describes the memory of a receive. */
    PassingPayload receive(Object buffer, int count, Datatype type) {
        return type.isPlain() ? incoming.set(buffer, 0, count, type) : Strided.items(buffer, 0, count, type);
    }

    void giveBack() {
        outgoing.clear();
        incoming.clear();
        sent.clear();
        received.clear();
        isInUse = false;
    }
}
