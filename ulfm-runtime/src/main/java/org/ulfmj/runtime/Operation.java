package org.ulfmj.runtime;

import java.io.Serializable;
import org.ulfmj.runtime.error.CallError;
import org.ulfmj.runtime.error.ErrorClass;
import org.ulfmj.runtime.progress.Completion;
import org.ulfmj.runtime.waits.NamedWait;
import org.ulfmj.runtime.waits.WaitNotes;

/**
 * What was started and ends later: a send, a receive, or a call of all members. Blocking calls wait for it by
 * {@link Communicator#await}, requests in an {@link OperationSet}; both give it back by {@code release} when they have
 * read how it ended.
 */
public abstract class Operation implements NamedWait {
    CommunicatorState communicator;
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
    ScheduleRun run;

    /** Neighbours in the list of what is not done on the communicator. */
    Operation previousActive;

    Operation nextActive;
    boolean isActive;
    /** Lies in a pool: a second release would give one object to two calls. */
    boolean isIdle;
    /** The waiter on behalf of its request, or null. */
    OperationSet watcher;

    Operation nextWatched;
    /** Why it failed, if any rank that ended it has put that into words. */
    CallError fault;

    Operation() {}

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

    /** Whether {@link Communicator#cancel} withdrew it. */
    public final boolean isCancelled() {
        return cancelled;
    }

    final void begin(CommunicatorState newCommunicator, int newStream, int newTag, ScheduleRun newRun) {
        communicator = newCommunicator;
        stream = newStream;
        tag = newTag;
        run = newRun;
        peer = null;
        done = false;
        cancelled = false;
        error = ErrorClass.SUCCESS;
        fault = null;
        source = Communicator.ANY_SOURCE;
        lengthBytes = 0;
    }

    /** The operation is over: nothing of the engine touches its payload any more. */
    final void finish(ErrorClass result) {
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

    /** Takes it out of every queue of the engine, so that nothing finds it any more. */
    abstract void detach();

    /** What a blocking call waits for: the end, or a failure that the program must be told of. */
    abstract Completion settled();

    /** Rank of the other side as the program named it; the wildcard if it did not. */
    abstract int namedPeer();

    @Override
    public void explain(WaitNotes notes) {
        notes.other(toString());
    }

    /** {@code receive from rank 2, tag 7}. */
    abstract String describe();

    /** The same as the {@code toString} of something that stays as it is, also when this operation is used again. */
    Serializable words() {
        return describe();
    }

    @Override
    public String toString() {
        return describe() + " on " + communicator.label;
    }
}
