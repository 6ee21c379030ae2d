package org.ulfmj.runtime.transfer;

import java.io.Serializable;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.runtime.error.CallError;
import org.ulfmj.runtime.error.ErrorClass;
import org.ulfmj.runtime.message.MessageKey;
import org.ulfmj.runtime.progress.Completion;
import org.ulfmj.runtime.waits.NamedWait;
import org.ulfmj.runtime.waits.WaitNotes;

/**
 * What was started and ends later: a send, a receive, or a call of all members. Blocking calls wait until it is
 * {@link #settled}, requests in a set of operations; both give it back by {@code release} when they have read how it
 * ended.
 */
public abstract class Operation implements NamedWait {
    /** The collective operation that a message is part of. */
    public interface Owner {
        MessageContext communicator();

        /** The name of the operation as the program wrote it. */
        String operation();

        /** A message of the operation is over. */
        void onOperationDone(Operation done);
    }

    /** The call that waits for an operation on behalf of its request. */
    interface Watcher {
        void onDone(Operation operation);

        /** A failure that is not acknowledged holds up the operation, a receive from any source. */
        void onHeldUp();
    }

    MessageContext communicator;
    /** The other side; null of a receive from any source that has not matched. */
    Peer peer;

    int stream;
    boolean done;
    boolean cancelled;
    ErrorClass error;
    int source;
    int tag;
    long lengthBytes;
    /** The collective operation it belongs to, or null. */
    Owner run;

    /** Neighbours in the list of what is not done on the communicator. */
    Operation previousActive;

    Operation nextActive;
    boolean isActive;
    /** Lies in a pool: a second release would give one object to two calls. */
    boolean isIdle;
    /** The waiter on behalf of its request, or null. */
    Watcher watcher;

    Operation nextWatched;
    /** Why it failed, if any rank that ended it has put that into words. */
    CallError fault;

    protected Operation() {}

    /** The communicator that it was started on. */
    public final MessageContext communicator() {
        return communicator;
    }

    /** The other process, to be looked at first while a call waits; null if it is this one, or not known. */
    public final ProcessId partner() {
        return peer == null || peer.isSelf ? null : peer.id;
    }

    @Override
    public final boolean isDone() {
        return done;
    }

    /** How it ended; {@link ErrorClass#SUCCESS} while it has not. */
    public final ErrorClass error() {
        return error;
    }

    /**
     * Whether it cannot go on before the program acknowledges a failure, which only a receive from any source may need
     * to; read under the engine lock. It stays active, and a message still ends it.
     */
    public boolean isHeldUp() {
        return false;
    }

    /** The sender's rank, of a receive that is done. */
    public final int source() {
        return source;
    }

    /** The message's tag, of a receive that is done. */
    public final int tag() {
        return tag;
    }

    /** The number of bytes written, of a receive that is done. */
    public final long lengthBytes() {
        return lengthBytes;
    }

    /** Whether the program withdrew it. */
    public final boolean isCancelled() {
        return cancelled;
    }

    protected final void begin(MessageContext newCommunicator, int newStream, int newTag, Owner newRun) {
        communicator = newCommunicator;
        stream = newStream;
        tag = newTag;
        run = newRun;
        peer = null;
        done = false;
        cancelled = false;
        error = ErrorClass.SUCCESS;
        fault = null;
        source = MessageKey.ANY_SOURCE;
        lengthBytes = 0;
    }

    /** The operation is over: nothing of the engine touches its payload any more. */
    protected final void finish(ErrorClass result) {
        if (done) {
            throw new IllegalStateException(this + " ends twice");
        }
        done = true;
        error = result;
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

    /** The operation ends before its time, and lets go of its payload at once. */
    public final void cutShort(ErrorClass why) {
        detach();
        finish(why);
    }

    /** The operation fails for a reason that is in words already. */
    protected final void fail(CallError reason) {
        fault = reason;
        finish(reason.error());
    }

    /** Takes it out of every queue of the engine, so that nothing finds it any more. */
    protected abstract void detach();

    /** What a blocking call waits for: the end, or a failure that the program must be told of. */
    public abstract Completion settled();

    /** Rank of the other side as the program named it; the wildcard if it did not. */
    public abstract int namedPeer();

    @Override
    public void explain(WaitNotes notes) {
        notes.other(toString());
    }

    /** {@code receive from rank 2, tag 7}. */
    public abstract String describe();

    /** The same as the {@code toString} of something that stays as it is, also when this operation is used again. */
    Serializable words() {
        return describe();
    }

    @Override
    public String toString() {
        return describe() + " on " + communicator.label;
    }
}
