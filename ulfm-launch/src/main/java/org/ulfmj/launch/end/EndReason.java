package org.ulfmj.launch.end;

import java.util.Map;

/**
 * Why a job is ended before its processes have all ended by themselves.
 *
 * @param kind decides how gently the job is ended, and the exit code
 * @param code the code of abort, the number of the signal, or the exit code of a launcher that cannot do its part or is
 *     in a minority; else 0
 * @param message for the user, a sentence without its end
 */
public record EndReason(Kind kind, int code, String message) {
    /** The exit code of a launcher or rank that has lost contact with the rest of its job. */
    private static final int ORPHANED = 119;

    private static final Map<String, Integer> SIGNALS = Map.of("HUP", 1, "INT", 2, "TERM", 15);

    public enum Kind {
        /** A process failed in a job that does not survive failures, or before any process had called Init. */
        FAILURE,
        /** The world cannot begin. The rendezvous tells this to the processes that wait for the world to begin. */
        NOT_FORMED,
        /** A program called abort. */
        ABORT,
        /** The time of {@code --timeout} is over. */
        TIMEOUT,
        /** The launcher takes the program for hung. It prints which ranks wait for which without asking them again. */
        HUNG,
        /** The launcher got a signal, or its output has no reader any more. */
        SIGNAL,
        /** The launcher cannot do its part. */
        LAUNCHER,
        /** The launcher reaches too few ranks (half of them or fewer): the other ranks may go on without it. */
        MINORITY,
        /**
         * The program has ended, and the only processes left are newcomers or spares that waited for a place in the
         * world.
         */
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

    /** @param message says which ranks hang, or that no rank has called MPI */
    public static EndReason hung(String message) {
        return new EndReason(Kind.HUNG, 0, message);
    }

    /** @param name of a signal to the launcher, without SIG: HUP, INT or TERM */
    public static EndReason signalled(String name) {
        return signal(SIGNALS.get(name), "got SIG" + name);
    }

    public static EndReason signal(int number, String message) {
        return new EndReason(Kind.SIGNAL, number, message);
    }

    /**
     * Whether the end of a process with this exit code is a consequence of the end of the job, by a signal of the
     * launcher or by abort, so that the launcher need not report it to the user. Where a signal to the launcher ends
     * the job, each such end is reported, so that the user sees which ranks did not save their work.
     *
     * @param endedBefore whether the process had died before the launcher told any process to end, so that no signal of
     *     the launcher has ended it
     */
    public boolean explains(int exitCode, boolean endedBefore) {
        boolean isOfAbort = kind == Kind.ABORT && exitCode == ExitPolicy.ofAbort(code);
        boolean isOfSignal = exitCode == ExitPolicy.SIGNAL_BASE + ExitPolicy.TERM
                || exitCode == ExitPolicy.SIGNAL_BASE + ExitPolicy.KILL;
        return kind != Kind.SIGNAL && (isOfAbort || isOfSignal && !endedBefore);
    }

    /**
     * Whether something other than the program ends the job: a signal, the time limit, the judgement that the program
     * hangs, a failure of the launcher, or a minority. The program might have gone on for long.
     */
    public boolean isFromOutside() {
        return kind == Kind.SIGNAL
                || kind == Kind.TIMEOUT
                || kind == Kind.HUNG
                || kind == Kind.LAUNCHER
                || kind == Kind.MINORITY;
    }
}
