package org.ulfmj.runtime.transfer;

import java.nio.ByteBuffer;
import org.ulfmj.runtime.lent.CopyBoard;
import org.ulfmj.runtime.message.BufferView;
import org.ulfmj.runtime.message.PassingPayload;
import org.ulfmj.runtime.progress.Completion;
import org.ulfmj.runtime.waits.WaitNotes;
import org.ulfmj.transport.Payload;

/** A send, from its call to the moment in which its payload belongs to the program again. */
public final class SendOperation extends Operation {
    /** How far a send has come. */
    enum Phase {
        /** Waits for room, behind earlier messages to the same peer. */
        QUEUED,
        /** The message has left whole; the receiver will say when it is matched. */
        AWAITING_MATCH,
        /** The message is offered; the receiver will say when it wants the bytes, or that it has copied them. */
        OFFERED,
        /** The receiver takes the bytes, piece by piece. */
        STREAMING
    }

    /** The queues that may hold a send that is under way. */
    interface Queues {
        /** Takes a send that ends before its time out of every queue. */
        void forget(SendOperation send);
    }

    final BufferView view = new BufferView();
    private final Queues queues;

    int dest;
    boolean synchronous;
    /**
     * The number by which ranks compare which collective operation each is in. Only for sends of the stream
     * {@link org.ulfmj.runtime.message.MessageKey#DESCRIPTION}.
     */
    long description;

    Phase phase;
    /** Whether the offer said where the receiver can read the bytes itself. */
    boolean isLent;
    /** Whether an offered message is sent whole if the receiver lets the offer wait. */
    boolean isImpatient;

    /**
     * Whether the message was announced for want of credit. Then the next two fields are its neighbours in the peer's
     * {@link CreditWaiters}.
     */
    boolean awaitsCredit;

    SendOperation creditWaiterBefore;
    SendOperation creditWaiterAfter;

    long offeredNs;
    /** The send's number at this rank, by which the receiver answers; 0 if no answer is expected. */
    long handshakeId;
    /** The number of the receive at the other rank, once the message streams. */
    long receiverId;

    long streamedBytes;

    /**
     * The board by which this rank and the receiver divide the copy, and, in the next fields, where this rank writes
     * its pieces; null unless the message is divided.
     */
    CopyBoard board;

    int division;
    ByteBuffer target;
    int targetOffset;

    SendOperation(Queues queues) {
        this.queues = queues;
    }

    /**
     * Goes on with a copy: the program has its buffer again, and the bytes that have not left are read from the copy.
     */
    public void goOnWith(Payload copy) {
        payload = copy;
    }

    /** Goes on with {@link PassingPayload#kept}: the description of the message is used again by its maker. */
    public void goOnWithKept(PassingPayload passing) {
        keep(passing);
    }

    /** Whether the last piece was given to the medium. */
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
