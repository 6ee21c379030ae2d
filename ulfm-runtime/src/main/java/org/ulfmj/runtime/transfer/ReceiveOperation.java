package org.ulfmj.runtime.transfer;

import java.io.Serializable;
import java.nio.ByteBuffer;
import org.ulfmj.runtime.lent.LentPlace;
import org.ulfmj.runtime.message.BufferView;
import org.ulfmj.runtime.message.KeyedQueues;
import org.ulfmj.runtime.message.MessageKey;
import org.ulfmj.runtime.progress.Completion;
import org.ulfmj.runtime.waits.NamedWait;
import org.ulfmj.runtime.waits.WaitNotes;

/** A receive operation, from its start until its payload belongs to the program again. */
final class ReceiveOperation extends Operation {
    /** The wait until a receive is done, or is held up by a failure. */
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

    /** The queues that may contain a receive that is under way. */
    interface Queues {
        /** Takes a receive out of all queues; pieces that still arrive for it are dropped. */
        void forget(ReceiveOperation receive);
    }

    final KeyedQueues.Link<ReceiveOperation> posted = new KeyedQueues.Link<>(this);
    final BufferView view = new BufferView();
    private final Completion settled = new Settled(this);

    private final Queues queues;

    int wantedSource;
    int wantedTag;
    /** The receive's position in the order in which the receives of the same {@link PostedReceives} were posted. */
    long order;
    /**
     * The number by which the pieces of an offered message name this receive while they arrive; 0 if no message is
     * fetched.
     */
    long handshakeId;

    long messageBytes;
    long arrivedBytes;

    /** Where an offered message lies, if in lent memory. The next field is the sender's number of that message. */
    final LentPlace place = new LentPlace();

    long senderId;
    /** The sender's lent memory from which this receive copies its message; else null. */
    ByteBuffer lent;

    ReceiveOperation(Queues queues) {
        this.queues = queues;
    }

    @Override
    public boolean isHeldUp() {
        return awaitsAnySource() && !communicator.failures.wildcardsOpen();
    }

    @Override
    public Completion settled() {
        return wantedSource == MessageKey.ANY_SOURCE ? settled : this;
    }

    private boolean awaitsAnySource() {
        return wantedSource == MessageKey.ANY_SOURCE && peer == null;
    }

    @Override
    public int namedPeer() {
        return wantedSource;
    }

    @Override
    protected void detach() {
        queues.forget(this);
    }

    @Override
    public void explain(WaitNotes notes) {
        int from = peer == null ? wantedSource : communicator.members.rank(peer.id.slot());
        String detail = wantedTag == MessageKey.ANY_TAG ? "any tag" : "tag " + wantedTag;
        notes.message(communicator, "receive", handshakeId == 0 ? detail : detail + ", of which a part has come", from);
    }

    @Override
    public String describe() {
        if (run != null) {
            return run.operation() + " (receiving from " + communicator.nameOf(wantedSource) + ")";
        }
        return new Wanted(communicator.peerRankOf(wantedSource), wantedTag).toString();
    }

    @Override
    Serializable words() {
        return run != null ? describe() : new Wanted(communicator.peerRankOf(wantedSource), wantedTag);
    }

    /** The source and tag that a receive asked for, as an object whose {@code toString} gives them in words. */
    private record Wanted(int source, int tag) implements Serializable {
        @Override
        public String toString() {
            String from = source == MessageKey.ANY_SOURCE ? "any source" : "rank " + source;
            return "receive from " + from + (tag == MessageKey.ANY_TAG ? ", any tag" : ", tag " + tag);
        }
    }
}
