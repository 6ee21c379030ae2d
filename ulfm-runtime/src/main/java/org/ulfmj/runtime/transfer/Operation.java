package org.ulfmj.runtime.transfer;

import java.io.Serializable;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.runtime.error.CallError;
import org.ulfmj.runtime.error.ErrorClass;
import org.ulfmj.runtime.error.ThrownByProgram;
import org.ulfmj.runtime.message.MessageKey;
import org.ulfmj.runtime.message.PassingPayload;
import org.ulfmj.runtime.progress.Completion;
import org.ulfmj.runtime.waits.NamedWait;
import org.ulfmj.runtime.waits.WaitNotes;
import org.ulfmj.transport.Payload;

/**
 * An operation that has started, and may have ended: a send, a receive, or a collective call. A blocking call waits
 * until the operation is {@link #settled}. Calls on requests wait by an {@link OperationSet}. A call that has read how
 * the operation ended gives its object back by {@code release}.
 */
public abstract class Operation implements NamedWait {
    /** The collective operation that a message belongs to. */
    public interface Owner {
        MessageContext communicator();

        /** Returns the name of the operation as the program called it. */
        String operation();

        /** Tells the collective operation that a send or receive of it has ended. */
        void onOperationDone(Operation done);
    }

    /** A call that waits for operations and is told when one of them ends. */
    interface Watcher {
        void onDone(Operation operation);

        /** Tells that the operation, a receive from any source, cannot go on because a failure is not acknowledged. */
        void onHeldUp();
    }

    MessageContext communicator;
    /** The process at the other side of a send or receive; null if it is not known, or if there is none. */
    Peer peer;

    int stream;
    boolean done;
    boolean cancelled;
    ErrorClass error;
    int source;
    int tag;
    long lengthBytes;
    /** The collective operation that this send or receive belongs to; null for one of the program. */
    Owner run;

    /** The neighbours of this operation in the linked list of the communicator's {@link ActiveOperations}. */
    Operation previousActive;

    Operation nextActive;
    boolean isActive;
    /** Whether the object is in the pool of unused ones: a second release would give it to two calls. */
    boolean isIdle;

    Operation nextIdle;
    /** The watcher of the call that waits for this operation, or tests it, by its request; else null. */
    Watcher watcher;

    Operation nextWatched;
    /** The bytes that are sent, or the memory for those that are received. */
    Payload payload;
    /**
     * The payload object that was kept for this operation, or for an earlier one that used this object; may be null.
     */
    private PassingPayload kept;
    /** The error with which {@link #fail} ended the operation; null if it was not ended so. */
    CallError fault;

    protected Operation() {}

    /** Returns the communicator on which the operation was started. */
    public final MessageContext communicator() {
        return communicator;
    }

    /**
     * Returns the process at the other side, whose link polls read directly while a call waits; null if that is this
     * process itself, is not known, or does not exist.
     */
    public final ProcessId partner() {
        return peer == null || peer.isSelf ? null : peer.id;
    }

    @Override
    public final boolean isDone() {
        return done;
    }

    /** Returns the error with which the operation ended; {@link ErrorClass#SUCCESS} before its end. */
    public final ErrorClass error() {
        return error;
    }

    /**
     * Whether the operation cannot go on before the program acknowledges a failure. This is possible only for a receive
     * from any source. Such a receive stays active, and a message still completes it. Read under the engine lock.
     */
    public boolean isHeldUp() {
        return false;
    }

    /**
     * Whether the operation failed because something was thrown, by code of the program for instance, that must be
     * passed on to the program.
     */
    public final boolean isEndedByProgram() {
        return fault instanceof ThrownByProgram;
    }

    /** Returns the sender's rank; valid for a receive that has ended with a message. */
    public final int source() {
        return communicator.peerRankOf(source);
    }

    /** Returns the message's tag; valid for a receive that has ended with a message. */
    public final int tag() {
        return tag;
    }

    /** Returns the number of bytes written into the buffer; valid for a receive that has ended with a message. */
    public final long lengthBytes() {
        return lengthBytes;
    }

    /** Whether the program withdrew the operation. */
    public final boolean isCancelled() {
        return cancelled;
    }

    protected final void begin(MessageContext newCommunicator, int newStream, int newTag, Owner newRun) {
        if (communicator != newCommunicator) {
            communicator = newCommunicator;
        }
        stream = newStream;
        tag = newTag;
        run = newRun;
        done = false;
        cancelled = false;
        setError(ErrorClass.SUCCESS);
        fault = null;
        source = MessageKey.ANY_SOURCE;
        lengthBytes = 0;
    }

    // Operation objects are used again and again, mostly with the same communicator, peer and result. If the field has
    // the same reference already, it is not stored again: for the garbage collector a store into an old object may cost
    // a memory fence.

    private void setError(ErrorClass result) {
        if (error != result) {
            error = result;
        }
    }

    final void setPeer(Peer other) {
        if (peer != other) {
            peer = other;
        }
    }

    /**
     * Makes the operation's payload from a payload object that its maker will reuse: the new one describes the same
     * bytes and stays valid until the end of the operation.
     */
    final void keep(PassingPayload passing) {
        PassingPayload made = passing.kept(kept);
        if (kept != made) {
            kept = made;
        }
        if (payload != made) {
            payload = made;
        }
    }

    /**
     * Drops the reference to the program's memory. Called when no call will look at the operation again, and only for
     * an operation that has not failed. A kept payload object that can be used again stays.
     */
    final void letGoOfPayload() {
        if (kept != null && !kept.forget()) {
            kept = null;
        }
        if (payload != kept) {
            payload = null;
        }
    }

    /**
     * Called when the call that completed the request has read that the operation ended without an error. The object
     * may be reused once the engine lock was released. Does nothing unless overridden.
     */
    protected void onReleased() {}

    /** Ends the operation with a result: from now on the engine does not touch its payload. */
    protected final void finish(ErrorClass result) {
        if (done) {
            throw new IllegalStateException(this + " ends twice");
        }
        done = true;
        setError(result);
        communicator.active.remove(this);
        if (watcher != null) {
            watcher.onDone(this);
        }
        if (run != null) {
            run.onOperationDone(this);
        }
    }

    /** Names the sender. */
    protected final void cameFrom(int rank) {
        source = rank;
    }

    /**
     * Ends the operation before its time with an error, at once: it does not wait until another rank has stopped
     * writing into the buffer.
     */
    public final void cutShort(ErrorClass why) {
        detach();
        finish(why);
    }

    /** Ends the operation as failed, with an error whose text is made already. */
    protected final void fail(CallError reason) {
        fault = reason;
        finish(reason.error());
    }

    /** Takes the operation out of all queues of the engine, so that no message finds it any more. */
    protected abstract void detach();

    /**
     * Returns what a blocking call waits for: the end of the operation, or a failure of which the program must be told.
     */
    public abstract Completion settled();

    /**
     * Returns the rank of the other side among the members, the wildcard, or {@link MessageKey#NO_RANK}. A collective
     * call returns the rank of this process.
     */
    public abstract int namedPeer();

    @Override
    public void explain(WaitNotes notes) {
        notes.other(toString());
    }

    /**
     * Whether requests may read this object without the engine lock. The object never changes: it stands for operations
     * that had ended without an error before any call knew of them.
     */
    public boolean isShared() {
        return false;
    }

    /** Returns the object that carries the operation out step by step; null if there is none. */
    public Object progress() {
        return null;
    }

    /** Returns the operation in words: {@code receive from rank 2, tag 7}. */
    public abstract String describe();

    /**
     * Returns an object whose {@code toString} gives the text of {@link #describe}, and which does not change when this
     * operation object is reused.
     */
    Serializable words() {
        return describe();
    }

    @Override
    public String toString() {
        return describe() + " on " + communicator.label;
    }
}
