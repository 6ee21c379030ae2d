package org.ulfmj.runtime;

import java.io.Serializable;
import java.nio.ByteBuffer;
import org.ulfmj.runtime.lent.LentPlace;
import org.ulfmj.runtime.message.BufferView;
import org.ulfmj.runtime.message.KeyedQueues;
import org.ulfmj.runtime.progress.Completion;
import org.ulfmj.runtime.waits.NamedWait;
import org.ulfmj.runtime.waits.WaitNotes;
import org.ulfmj.transport.Payload;

/** A receive, from its call to the moment in which its payload belongs to the program again. */
final class ReceiveOperation extends Operation {
    /** Done, or held up by a failure. */
    private record Settled(ReceiveOperation receive) implements NamedWait {
        @Override
        public boolean isDone() {
            return receive.done || receive.isHeldUp();
        }

        @Override
        public void explain(WaitNotes notes) {
            receive.explain(notes);
        }

        @Override
        public String toString() {
            return receive.toString();
        }
    }

    final KeyedQueues.Link<ReceiveOperation> posted = new KeyedQueues.Link<>(this);
    final BufferView view = new BufferView();
    private final Completion settled = new Settled(this);

    private final Matching matching;

    Payload payload;
    int wantedSource;
    int wantedTag;
    /** Place among the receives posted on the communicator. */
    long order;
    /** Its number for the sender's pieces, while a large message streams in; else 0. */
    long handshakeId;

    long messageBytes;
    long arrivedBytes;

    /** Where an offered message lies; and the sender's number for it. */
    final LentPlace place = new LentPlace();

    long senderId;
    /** What it is copied from, while it is. */
    ByteBuffer lent;

    ReceiveOperation(Matching matching) {
        this.matching = matching;
    }

    @Override
    public boolean isHeldUp() {
        return awaitsAnySource() && !communicator.failures.wildcardsOpen();
    }

    @Override
    Completion settled() {
        return wantedSource == Communicator.ANY_SOURCE ? settled : this;
    }

    private boolean awaitsAnySource() {
        return wantedSource == Communicator.ANY_SOURCE && peer == null;
    }

    @Override
    int namedPeer() {
        return wantedSource;
    }

    @Override
    void detach() {
        matching.forget(this);
    }

    @Override
    public void explain(WaitNotes notes) {
        int from = peer == null ? wantedSource : communicator.members.rank(peer.id.slot());
        String detail = wantedTag == Communicator.ANY_TAG ? "any tag" : "tag " + wantedTag;
        notes.message(communicator, "receive", handshakeId == 0 ? detail : detail + ", of which a part has come", from);
    }

    @Override
    String describe() {
        if (run != null) {
            return run.operation() + " (receiving from rank " + wantedSource + ")";
        }
        return new Wanted(wantedSource, wantedTag).toString();
    }

    @Override
    Serializable words() {
        return run != null ? describe() : new Wanted(wantedSource, wantedTag);
    }

    /** What a receive asked for. */
    private record Wanted(int source, int tag) implements Serializable {
        @Override
        public String toString() {
            String from = source == Communicator.ANY_SOURCE ? "any source" : "rank " + source;
            return "receive from " + from + (tag == Communicator.ANY_TAG ? ", any tag" : ", tag " + tag);
        }
    }
}
