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
 * An operation that was started and ends later: a send, a receive, or a collective call. A blocking call waits until
 * the operation is {@link #settled}. Calls on requests wait by an {@link OperationSet}. A call gives the operation back
 * by {@code release} when it has read how the operation ended.
 */
public abstract class Operation implements NamedWait {
    /** The collective operation that a message is part of. */
    public interface Owner {
        MessageContext communicator();

        /** The name of the operation as the program wrote it. */
        String operation();

        /** Tells that a message of the collective operation is over. */
        void onOperationDone(Operation done);
    }

    /** The call that waits for an operation on behalf of its request. */
    interface Watcher {
        void onDone(Operation operation);

        /**
         * Tells that the operation is a receive from any source, and that a failure that is not acknowledged holds it
         * up.
         */
        void onHeldUp();
    }

    MessageContext communicator;
    /** The process at the other side; null for a receive from any source that has not matched. */
    Peer peer;

    int stream;
    boolean done;
    boolean cancelled;
    ErrorClass error;
    int source;
    int tag;
    long lengthBytes;
    /** The collective operation that this operation belongs to, or null. */
    Owner run;

    /** Neighbours in the list of the communicator's {@link ActiveOperations}. */
    Operation previousActive;

    Operation nextActive;
    boolean isActive;
    /** Whether the object lies in a pool: a second release would give it to two calls. */
    boolean isIdle;

    Operation nextIdle;
    /** The call that waits for this operation on behalf of its request, or null. */
    Watcher watcher;

    Operation nextWatched;
    /** The bytes that are sent, or the room for those that are received. */
    Payload payload;
    /** The payload that was kept for this operation, or for an earlier one that used this object; may be null. */
    private PassingPayload kept;
    /** Why the operation failed, if it was ended by {@link #fail}; else null. */
    CallError fault;

    protected Operation() {}

    /** Returns the communicator on which the operation was started. */
    public final MessageContext communicator() {
        return communicator;
    }

    /**
     * Returns the other process of the operation, to be looked at first while a call waits; null if that is this
     * process, or not known.
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
     * Whether the operation cannot go on before the program acknowledges a failure. Only a receive from any source can
     * be held up so. It stays active, and a message still ends it. Read under the engine lock.
     */
    public boolean isHeldUp() {
        return false;
    }

    /** Whether the operation failed because code of the program threw, which is what the program is to be told. */
    public final boolean isEndedByProgram() {
        return fault instanceof ThrownByProgram;
    }

    /** Returns the sender's rank, of a receive that is done. */
    public final int source() {
        return communicator.peerRankOf(source);
    }

    /** Returns the message's tag, of a receive that is done. */
    public final int tag() {
        return tag;
    }

    /** Returns the number of bytes written, of a receive that is done. */
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

    // Operations are used again and again, mostly with the same communicator, peer and result. A reference that is
    // there
    // already is not stored: the collector would make a fence of each store into an object that has become old.

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

    /** Sets as payload one with the same bytes that is good until the end of the operation. */
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
     * Lets go of the program's memory, since no call will look at the operation again, and it has not failed. A payload
     * that was kept, and can be kept for again, stays.
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
     * Called when the call that completed the request has read how the operation ended, without an error: the object
     * may be used again once the engine lock was let go. Does nothing unless overridden.
     */
    protected void onReleased() {}

    /** Ends the operation: from now on nothing of the engine touches its payload. */
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

    /** Ends the operation before its time, and lets go of its payload at once. */
    public final void cutShort(ErrorClass why) {
        detach();
        finish(why);
    }

    /** Ends the operation as failed, for a reason that is in words already. */
    protected final void fail(CallError reason) {
        fault = reason;
        finish(reason.error());
    }

    /** Takes the operation out of every queue of the engine, so that no message finds it any more. */
    protected abstract void detach();

    /** Returns what a blocking call waits for: the end, or a failure that the program must be told of. */
    public abstract Completion settled();

    /** Returns the rank of the other side as the program named it; the wildcard if the program named none. */
    public abstract int namedPeer();

    @Override
    public void explain(WaitNotes notes) {
        notes.other(toString());
    }

    /**
     * Whether the operation was over, without an error, before any call knew of it, and its object serves others too
     * and never changes. It is read without the engine lock.
     */
    public boolean isShared() {
        return false;
    }

    /** What carries the operation out step by step; null if nothing does. */
    public Object progress() {
        return null;
    }

    /** Returns the operation in words: {@code receive from rank 2, tag 7}. */
    public abstract String describe();

    /**
     * Returns the text of {@link #describe} as the {@code toString} of an object that does not change when this
     * operation is reused.
     */
    Serializable words() {
        return describe();
    }

    @Override
    public String toString() {
        return describe() + " on " + communicator.label;
    }
}
