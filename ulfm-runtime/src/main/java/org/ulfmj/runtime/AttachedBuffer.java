package org.ulfmj.runtime;

import java.util.ArrayList;
import java.util.List;
import org.ulfmj.runtime.error.CallError;
import org.ulfmj.runtime.error.ErrorClass;
import org.ulfmj.runtime.transfer.CallErrors;
import org.ulfmj.runtime.transfer.SendOperation;
import org.ulfmj.runtime.waits.NamedWait;
import org.ulfmj.runtime.waits.WaitNotes;

/**
 * The buffer that the program attached for buffered sends (MPI 3.1 section 3.6): counts how many of its bytes are
 * occupied by messages that have not left. The bytes of these messages are copied to other memory; the length of the
 * attached buffer only limits how many bytes they have together. A message has left when its send operation has ended,
 * also by a failure, a departure or a revocation. Under the engine lock.
 */
final class AttachedBuffer {
    /** What a message occupies beside its bytes. */
    private static final int OVERHEAD_BYTES = 128;

    private record Message(SendOperation send, long bytes) {}

    private final RankEngine engine;
    private final List<Message> messages = new ArrayList<>();
    private boolean isAttached;
    /** Whether a thread is inside {@link #detach}, and waits for the messages in the buffer to leave. */
    private boolean isClosing;

    private int capacityBytes;
    private long occupiedBytes;

    AttachedBuffer(RankEngine engine) {
        this.engine = engine;
    }

    void attach(int lengthBytes) {
        if (isAttached) {
            throw new CallError(
                    ErrorClass.BUFFER,
                    "attachBuffer: a buffer of " + capacityBytes
                            + " bytes is attached already; allowed: one at a time, so call detachBuffer first");
        }
        isAttached = true;
        capacityBytes = lengthBytes;
    }

    /** Waits until all messages in the buffer have left, and then takes the buffer away from the program. */
    void detach() {
        if (!isAttached || isClosing) {
            throw new CallError(
                    ErrorClass.BUFFER,
                    "detachBuffer: " + (isClosing ? "another thread is detaching the buffer" : "no buffer is attached")
                            + "; allowed: once after attachBuffer");
        }
        isClosing = true;
        try {
            awaitEmpty("detachBuffer");
            isAttached = false;
        } finally {
            isClosing = false;
        }
    }

    /** Waits until all messages have left. */
    void awaitEmpty(String call) {
        sweep();
        if (!messages.isEmpty()) {
            engine.progress().await(new Empty(call));
        }
    }

    /**
     * Checks that the attached buffer has room for a buffered send of this length; throws a {@link CallError} of class
     * {@link ErrorClass#BUFFER} if it has none, or if no buffer is attached or a thread is detaching it.
     */
    void require(CommunicatorState communicator, String call, long lengthBytes) {
        long needed = lengthBytes + OVERHEAD_BYTES;
        if (isAttached && !isClosing && !hasRoom(needed)) {
            sweep();
            if (!hasRoom(needed)) {
                engine.progress().pollOnce();
                engine.checkRunning();
                sweep();
            }
        }
        if (isAttached && !isClosing && hasRoom(needed)) {
            return;
        }
        String why = !isAttached
                ? "no buffer is attached"
                : isClosing
                        ? "another thread is detaching the buffer"
                        : "the message needs " + needed + " bytes of the attached buffer (" + lengthBytes
                                + " of data and " + OVERHEAD_BYTES + " beside), of whose " + capacityBytes + " bytes "
                                + occupiedBytes + " are occupied";
        throw CallErrors.fault(
                ErrorClass.BUFFER, communicator, call, why, "MPI.attachBuffer() gives room for buffered sends");
    }

    private boolean hasRoom(long needed) {
        return occupiedBytes + needed <= capacityBytes;
    }

    /** Adds a message whose send has not ended, so that it occupies a part of the buffer. */
    void add(SendOperation send, long lengthBytes) {
        if (messages.size() > 0 && messages.get(0).send().isDone()) {
            sweep();
        }
        messages.add(new Message(send, lengthBytes + OVERHEAD_BYTES));
        occupiedBytes += lengthBytes + OVERHEAD_BYTES;
    }

    /** Forgets the messages that have left. */
    private void sweep() {
        if (messages.isEmpty()) {
            return;
        }
        int kept = 0;
        for (int i = 0; i < messages.size(); i++) {
            Message message = messages.get(i);
            if (message.send().isDone()) {
                occupiedBytes -= message.bytes();
                engine.transfers().release(message.send());
            } else {
                messages.set(kept, message);
                kept++;
            }
        }
        messages.subList(kept, messages.size()).clear();
    }

    /** The wait until all messages have left. */
    private final class Empty implements NamedWait {
        private final String call;

        Empty(String call) {
            this.call = call;
        }

        @Override
        public boolean isDone() {
            if (!messages.isEmpty() && messages.get(0).send().isDone()) {
                sweep();
            }
            return messages.isEmpty();
        }

        @Override
        public void explain(WaitNotes notes) {
            if (messages.isEmpty()) {
                notes.other(toString());
            } else {
                messages.get(0).send().explain(notes);
            }
        }

        @Override
        public String toString() {
            return call + ": buffered messages to leave";
        }
    }
}
