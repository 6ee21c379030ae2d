package org.ulfmj.runtime.transfer;

import java.nio.ByteBuffer;
import org.ulfmj.runtime.lent.CopyBoard;
import org.ulfmj.runtime.message.BufferView;
import org.ulfmj.runtime.message.PassingPayload;
import org.ulfmj.runtime.progress.Completion;
import org.ulfmj.runtime.waits.WaitNotes;
import org.ulfmj.transport.Payload;

/** A send operation, from its start until its payload belongs to the program again. */
public final class SendOperation extends Operation {
    /** How far a send has come. */
    enum Phase {
        /**
         * Nothing has left yet: the send waits for room, or is held back until it may be announced. The phase stays so
         * for a send that ends with its first frame.
         */
        QUEUED,
        /** The message was sent whole; the receiver will answer when it has matched it. */
        AWAITING_MATCH,
        /**
         * The message is offered; the receiver will ask for the bytes, or answer that it needs none any more, or the
         * message is sent whole later.
         */
        OFFERED,
        /** The receiver has asked for the bytes, which are sent piece by piece. */
        STREAMING
    }

    /** The queues that may contain a send that is under way. */
    interface Queues {
        /** Takes a send that ends before its time out of all queues. */
        void forget(SendOperation send);
    }

    final BufferView view = new BufferView();
    private final Queues queues;

    int dest;
    boolean synchronous;
    /**
     * The description of the collective operation that this rank is in, by which ranks check that they are in the same
     * one. Set only for sends of the stream {@link org.ulfmj.runtime.message.MessageKey#DESCRIPTION}.
     */
    long description;

    Phase phase;
    /** Whether the offer named lent memory from which the receiver can copy the message itself. */
    boolean isLent;
    /** Whether the offered message is sent whole if the receiver does not copy it soon and its credit allows. */
    boolean isImpatient;

    /**
     * Whether the message was only announced since there was no credit. The next two fields are then its neighbours in
     * the peer's {@link CreditWaiters}.
     */
    boolean awaitsCredit;

    SendOperation creditWaiterBefore;
    SendOperation creditWaiterAfter;

    long offeredNs;
    /** The send's number at this rank, which the receiver names in its answers; 0 if no answer is expected. */
    long handshakeId;
    /** The number of the matching receive at the other rank, once the message is streamed. */
    long receiverId;

    long streamedBytes;

    /**
     * The board on which this rank and the receiver divide the copy; null while no copy is divided. The next fields are
     * the number of the division on the board, and the place to which this rank writes its pieces.
     */
    CopyBoard board;

    int division;
    ByteBuffer target;
    int targetOffset;

    SendOperation(Queues queues) {
        this.queues = queues;
    }

    /**
     * Continues with a copy of the payload: the program has its buffer again, and the bytes that were not sent yet are
     * read from the copy.
     */
    public void goOnWith(Payload copy) {
        payload = copy;
    }

    /**
     * Continues with the kept copy of the payload object ({@link PassingPayload#kept}), because the maker of the object
     * reuses it.
     */
    public void goOnWithKept(PassingPayload passing) {
        keep(passing);
    }

    /** Whether the send is streamed and its last byte was given to the medium. */
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
                ? run.operation() + " (sending to " + communicator.nameOf(dest) + ")"
                : (synchronous ? "synchronous send" : "send") + " to rank " + communicator.peerRankOf(dest) + ", tag "
                        + tag;
    }
}
