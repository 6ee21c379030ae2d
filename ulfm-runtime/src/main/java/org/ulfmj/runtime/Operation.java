package org.ulfmj.runtime;

/**
 * A send or a receive that was started. Its fields are read under no lock after {@link Communicator#await} returned, or
 * threw for it.
 */
public abstract class Operation implements Completion {
    boolean done;
    ErrorClass error = ErrorClass.SUCCESS;
    int source;
    int tag;
    long lengthBytes;

    Operation() {}

    @Override
    public final boolean isDone() {
        return done;
    }

    /** How it ended; {@link ErrorClass#SUCCESS} while it has not. */
    public final ErrorClass error() {
        return error;
    }

    /** Of a receive that is done: the sender's rank. */
    public final int source() {
        return source;
    }

    /** Of a receive that is done: the message's tag. */
    public final int tag() {
        return tag;
    }

    /** Of a receive that is done: bytes that were written. */
    public final long lengthBytes() {
        return lengthBytes;
    }

    /** Whether {@link Communicator#cancel} withdrew it. */
    public abstract boolean isCancelled();
}
