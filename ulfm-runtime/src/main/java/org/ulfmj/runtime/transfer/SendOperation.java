package org.ulfmj.runtime.transfer;

import java.nio.ByteBuffer;
import org.ulfmj.runtime.lent.CopyBoard;
import org.ulfmj.runtime.message.BufferView;
import org.ulfmj.runtime.progress.Completion;
import org.ulfmj.runtime.waits.WaitNotes;
import org.ulfmj.transport.Payload;

/** A send, from its call to the moment in which its payload belongs to the program again. */
public final class SendOperation extends Operation {
    /** Where it stands. */
    enum Phase {
        /** Waits for room, behind earlier messages to the same peer. */
        QUEUED,
        /** All bytes are gone; the receiver will say when it has matched them. */
        AWAITING_MATCH,
        /** Offered; the receiver will say when it wants the bytes. */
        OFFERED,
        /** The receiver takes the bytes, piece by piece. */
        STREAMING
    }

    /** All that may hold a send that is under way. */
    interface Queues {
        /** Takes a send that ends before its time out of all of them. */
        void forget(SendOperation send);
    }

    final BufferView view = new BufferView();
    private final Queues queues;

    Payload payload;
    int dest;
    boolean synchronous;
    /** What the program says of the operation, for a message of the stream for descriptions. */
    long description;

    Phase phase;
    /** The offer said where the receiver can read the bytes itself. */
    boolean isLent;
    /** Whether it is sent whole if the receiver lets it wait. */
    boolean isImpatient;

    /** Is announced for want of credit, and neighbours among those to the same peer. */
    boolean awaitsCredit;

    SendOperation creditWaiterBefore;
    SendOperation creditWaiterAfter;

    long offeredNs;
    /** This operation's number here; 0 if no answer to it is expected. */
    long handshakeId;
    /** Its number at the receiver, once it streams. */
    long receiverId;

    long streamedBytes;

    /** Where this rank writes the last pieces of what the receiver copies; null unless it does. */
    CopyBoard board;

    int division;
    ByteBuffer target;
    int targetOffset;

    SendOperation(Queues queues) {
        this.queues = queues;
    }

    /** The program has its buffer again: what has not left is read from a copy. */
    public void goOnWith(Payload copy) {
        payload = copy;
    }

    /** Its last piece was given to the medium. */
    boolean isStreamed() {
        return phase == Phase.STREAMING && payload != null && streamedBytes == payload.lengthBytes();
    }

    @Override
    protected void detach() {
        queues.forget(this);
    }

    @Override
    public Completion settled() {
        return this;
    }

    @Override
    public int namedPeer() {
        return dest;
    }

    @Override
    public void explain(WaitNotes notes) {
        String state =
                switch (phase) {
                    case QUEUED -> "no room for it yet";
                    case AWAITING_MATCH, OFFERED -> "not received yet";
                    case STREAMING -> "of which a part has gone";
                };
        notes.message(communicator, "send", "tag " + tag + ", " + state, dest);
    }

    @Override
    public String describe() {
        return run != null
                ? run.operation() + " (sending to rank " + dest + ")"
                : (synchronous ? "synchronous send" : "send") + " to rank " + dest + ", tag " + tag;
    }
}
