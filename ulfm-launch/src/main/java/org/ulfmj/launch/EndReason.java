package org.ulfmj.launch;

/**
 * Why a job is ended before its processes have all ended by themselves.
 *
 * @param kind decides how gently, and the exit code
 * @param code what the user or the system gave as code: of abort, a signal's number, what the launcher is to end with; else 0
 * @param message for the user, a sentence without its end
 */
record EndReason(Kind kind, int code, String message) {
    enum Kind {
        /** A process failed in a job that does not survive that. */
        FAILURE,
        /** The world cannot begin; the processes that wait for it are told so by the rendezvous. */
        NOT_FORMED,
        /** A program called abort. */
        ABORT,
        /** {@code --timeout} */
        TIMEOUT,
        /** A signal to the launcher, or nobody there to read its output. */
        SIGNAL,
        /** The launcher cannot do its part. */
        LAUNCHER,
        /** The program is over; what is left are processes that waited for a place in it. */
        DONE
    }

    static EndReason failure(String message) {
        return new EndReason(Kind.FAILURE, 0, message);
    }

    static EndReason notFormed(String message) {
        return new EndReason(Kind.NOT_FORMED, 0, message);
    }

    static EndReason done() {
        return new EndReason(Kind.DONE, 0, "the job is over");
    }

    static EndReason signal(int number, String message) {
        return new EndReason(Kind.SIGNAL, number, message);
    }
}
