package org.ulfmj.launch.end;

import java.util.Map;

/**
 * Why a job is ended before its processes have all ended by themselves.
 *
 * @param kind decides how gently the job is ended, and the exit code
 * @param code the code of abort, the number of the signal, or the exit code of a launcher that cannot do its part; else
 *     0
 * @param message for the user, a sentence without its end
 */
public record EndReason(Kind kind, int code, String message) {
    /** The exit code of what has lost the other part of its job. */
    private static final int ORPHANED = 119;

    private static final Map<String, Integer> SIGNALS = Map.of("HUP", 1, "INT", 2, "TERM", 15);

    public enum Kind {
        /** A process failed in a job that does not survive failures. */
        FAILURE,
        /** The world cannot begin. The rendezvous tells the processes that wait for it. */
        NOT_FORMED,
        /** A program called abort. */
        ABORT,
        /** The time of {@code --timeout} is over. */
        TIMEOUT,
        /** The program is taken for hung. Which ranks wait for which is known and told already. */
        HUNG,
        /** A signal to the launcher, or the end of the reader of its output. */
        SIGNAL,
        /** The launcher cannot do its part. */
        LAUNCHER,
        /** The launcher is left with too few ranks: the others may go on without it. */
        MINORITY,
        /** The program is over, and only processes are left that waited for a place in it. */
        DONE
    }

    public static EndReason failure(String message) {
        return new EndReason(Kind.FAILURE, 0, message);
    }

    public static EndReason notFormed(String message) {
        return new EndReason(Kind.NOT_FORMED, 0, message);
    }

    public static EndReason done() {
        return new EndReason(Kind.DONE, 0, "the job is over");
    }

    public static EndReason minority(int reached, int members) {
        return new EndReason(
                Kind.MINORITY,
                ORPHANED,
                "only " + reached + " of " + members + " ranks are reached, and ulfm.ft.quorum=majority lets only more"
                        + " than half of them go on; the others may do so without mpiexec");
    }

    public static EndReason timeout() {
        return new EndReason(Kind.TIMEOUT, 0, "--timeout is over");
    }

    /** @param message says which rank, or that no rank, has called MPI */
    public static EndReason hung(String message) {
        return new EndReason(Kind.HUNG, 0, message);
    }

    /** @param name of a signal to the launcher, without SIG */
    public static EndReason signalled(String name) {
        return signal(SIGNALS.get(name), "got SIG" + name);
    }

    public static EndReason signal(int number, String message) {
        return new EndReason(Kind.SIGNAL, number, message);
    }

    /**
     * Whether a process that ends with this exit code ends because the job does, by a signal of the launcher's or by
     * abort, so that the user need not be told. Where a signal to the launcher ends the job the user is told: which
     * rank did not save its work?
     *
     * @param endedBefore whether it had died before any process was told to end, so that no signal of the launcher's
     *     has ended it
     */
    public boolean explains(int exitCode, boolean endedBefore) {
        boolean isOfAbort = kind == Kind.ABORT && exitCode == ExitPolicy.ofAbort(code);
        boolean isOfSignal = exitCode == ExitPolicy.SIGNAL_BASE + ExitPolicy.TERM
                || exitCode == ExitPolicy.SIGNAL_BASE + ExitPolicy.KILL;
        return kind != Kind.SIGNAL && (isOfAbort || isOfSignal && !endedBefore);
    }

    /** Whether the job is ended from outside, while its program might have gone on for long. */
    public boolean isFromOutside() {
        return kind == Kind.SIGNAL
                || kind == Kind.TIMEOUT
                || kind == Kind.HUNG
                || kind == Kind.LAUNCHER
                || kind == Kind.MINORITY;
    }
}
