package org.ulfmj.rendezvous.embed;

/**
 * A call of this package failed. Each kind of failure is a separate class, so that a program catches what it can
 * handle. After a {@link Connection} failure the same call may be made again. All others are {@link NonRetryable}: the
 * same call would fail again, or the program first has to find out what it did.
 */
public abstract sealed class RendezvousFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private RendezvousFailure(String message, Throwable cause) {
        super(message, cause);
    }

    /** There was no connection. Nothing was changed, and the call may be made again. */
    public static final class Connection extends RendezvousFailure {
        private static final long serialVersionUID = 1L;

        public Connection(String message, Throwable cause) {
            super(message, cause);
        }
    }

    /** The same call would fail again, or must not be repeated before the program knows what it did. */
    public abstract static sealed class NonRetryable extends RendezvousFailure {
        private static final long serialVersionUID = 1L;

        private NonRetryable(String message, Throwable cause) {
            super(message, cause);
        }
    }

    /**
     * The store or the rendezvous is closed, by this process or for all processes, or the session of this process with
     * the store has ended.
     */
    public static final class Closed extends NonRetryable {
        private static final long serialVersionUID = 1L;

        public Closed(String message) {
            super(message, null);
        }
    }

    /**
     * The time for the call has passed. If the call only waited, it has no effect any more. If it was a change, the
     * change may still be made, unless the message says that it will not.
     */
    public static final class Timeout extends NonRetryable {
        private static final long serialVersionUID = 1L;

        public Timeout(String message, Throwable cause) {
            super(message, cause);
        }
    }

    /**
     * The session of this process with the store has ended while a change was under way, or the store has refused a
     * change of which an earlier attempt got no answer: the change may or may not have been made. In the second case it
     * may also still be made.
     */
    public static final class OutcomeUnknown extends NonRetryable {
        private static final long serialVersionUID = 1L;

        public OutcomeUnknown(String message) {
            super(message, null);
        }
    }

    /**
     * This process is no member of its round any more: it has left, or was without contact to the store for longer than
     * its lease, so that others may go on without it.
     */
    public static final class Fenced extends NonRetryable {
        private static final long serialVersionUID = 1L;

        public Fenced(String message) {
            super(message, null);
        }
    }

    /**
     * The call was refused and had no effect: it asks for something that is not allowed, or the process is not allowed
     * to make it.
     */
    public static final class Refused extends NonRetryable {
        private static final long serialVersionUID = 1L;

        /** Why it was refused. */
        public enum Reason {
            /** There is no room. */
            FULL,
            /** The two ends speak different versions. */
            BAD_VERSION,
            /**
             * The process was not let in or has no permission; or the file with the secret, a password or certificates
             * is of no use.
             */
            BAD_TOKEN,
            /**
             * The call itself is wrong, for example an argument, a URL, or a stored value of another kind than the call
             * needs; or none of the other reasons fits.
             */
            BAD_REQUEST
        }

        private final Reason reason;

        public Refused(Reason reason, String message, Throwable cause) {
            super(message, cause);
            this.reason = reason;
        }

        /** A wrong argument. */
        public Refused(String message) {
            this(Reason.BAD_REQUEST, message, null);
        }

        public Reason reason() {
            return reason;
        }
    }

    /**
     * What is stored, or what the store answers, cannot be read: for example, the value was written without the job's
     * secret, or changed since.
     */
    public static final class StateCorrupt extends NonRetryable {
        private static final long serialVersionUID = 1L;

        public StateCorrupt(String message) {
            super(message, null);
        }
    }
}
