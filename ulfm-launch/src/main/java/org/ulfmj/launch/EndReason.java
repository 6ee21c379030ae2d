package org.ulfmj.launch;

import java.util.Map;

/**
 * Why a job is ended before its processes have all ended by themselves.
 *
 * @param kind decides how gently, and the exit code
 * @param code what the user or the system gave as code: of abort, a signal's number, what the launcher is to end with;
 *     else 0
 * @param message for the user, a sentence without its end
 */
record EndReason(Kind kind, int code, String message) {
    private static final Map<String, Integer> SIGNALS = Map.of("HUP", 1, "INT", 2, "TERM", 15);

    enum Kind {
        /** A process failed in a job that does not survive that. */
        FAILURE,
        /** The world cannot begin; the processes that wait for it are told so by the rendezvous. */
        NOT_FORMED,
        /** A program called abort. */
        ABORT,
        /** {@code --timeout} */
        TIMEOUT,
        /** A signal to the launcher, or no process there to read its output. */
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

    static EndReason timeout() {
        return new EndReason(Kind.TIMEOUT, 0, "--timeout is over");
    }

    /** @param name of a signal to the launcher, without SIG */
    static EndReason signalled(String name) {
        return signal(SIGNALS.get(name), "got SIG" + name);
    }

    static EndReason signal(int number, String message) {
        return new EndReason(Kind.SIGNAL, number, message);
    }

    /** Whether the job is ended by something outside of it, while its program might have gone on for long. */
    boolean isFromOutside() {
        return kind == Kind.SIGNAL || kind == Kind.TIMEOUT || kind == Kind.LAUNCHER;
    }
}
