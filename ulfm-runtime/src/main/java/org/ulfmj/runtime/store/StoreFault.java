package org.ulfmj.runtime.store;

/** The exception for a call to the store of the job that got no answer. */
public final class StoreFault extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Why there is no answer. */
    public enum Kind {
        /** The call's time limit has passed. A change that the call asked for may still be made. */
        TIMEOUT,
        /** The session with the store has ended. Whether a change that the call asked for was made is unknown. */
        UNKNOWN,
        /** This rank has no store. */
        NO_STORE
    }

    private final Kind kind;

    public StoreFault(Kind kind, String message) {
        super(message);
        this.kind = kind;
    }

    public Kind kind() {
        return kind;
    }
}
