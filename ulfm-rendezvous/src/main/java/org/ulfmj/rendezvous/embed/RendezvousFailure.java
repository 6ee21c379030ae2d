package org.ulfmj.rendezvous.embed;

/**
 * A call of this package that did not do what it was asked for. Each kind is a separate class, so that a program
 * catches what it can handle. Only a {@link Connection} failure is worth another attempt; all others are
 * {@link NonRetryable}: the same call would fail again, or what it did has to be looked at first.
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

    /** The same call would fail again, or must not be repeated blindly. */
    public abstract static sealed class NonRetryable extends RendezvousFailure {
        private static final long serialVersionUID = 1L;

        private NonRetryable(String message, Throwable cause) {
            super(message, cause);
        }
    }

    /** The store or the rendezvous is closed: by this process, or for all. */
    public static final class Closed extends NonRetryable {
        private static final long serialVersionUID = 1L;

        public Closed(String message) {
            super(message, null);
        }
    }

    /**
     * The time of the call is over. A wait was taken back; a change may still be made, unless the message says that it
     * will not.
     */
    public static final class Timeout extends NonRetryable {
        private static final long serialVersionUID = 1L;

        public Timeout(String message, Throwable cause) {
            super(message, cause);
        }
    }

    /** The session of this process with the store has ended while a change was under way: it was made, or not. */
    public static final class OutcomeUnknown extends NonRetryable {
        private static final long serialVersionUID = 1L;

        public OutcomeUnknown(String message) {
            super(message, null);
        }
    }

    /** The others hold this process for ended and go on without it. */
    public static final class Fenced extends NonRetryable {
        private static final long serialVersionUID = 1L;

        public Fenced(String message) {
            super(message, null);
        }
    }

    /** The call had no effect: it asks for something that is not allowed, or by a process that is not. */
    public static final class Refused extends NonRetryable {
        private static final long serialVersionUID = 1L;

        /** Why it was refused. */
        public enum Reason {
            /** There is no room. */
            FULL,
            /** The two ends speak different versions. */
            BAD_VERSION,
            /** The process does not know the secret, or has no permission. */
            BAD_TOKEN,
            /** The call itself is wrong: an argument, a URL, a value of another kind. */
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
     * What is stored is not what a process of this job has stored: it was written without the job's secret, or changed.
     */
    public static final class StateCorrupt extends NonRetryable {
        private static final long serialVersionUID = 1L;

        public StateCorrupt(String message) {
            super(message, null);
        }
    }
}
