package org.ulfmj.runtime.waits;

/**
 * What the thread that called Init is doing.
 *
 * @param forNs for how long at least; 0 if that is not known
 * @param call the MPI method that it is in; empty if it is in none
 * @param site the program's innermost line, or the one that called MPI
 */
public record Activity(Kind kind, long forNs, String call, String site) {
    /** Names on the wire by their order. */
    public enum Kind {
        /** Waits in MPI: the wait is in the report's list of waits. */
        WAITS,
        /** Runs the program's code, not in MPI. */
        COMPUTES,
        /** Waits outside MPI: for a lock, a socket, a timer. */
        BLOCKED,
        /** Works inside an MPI call. */
        IN_CALL,
        /** Runs code of the program that MPI called: an operator. */
        IN_OPERATOR,
        /** Has ended. */
        ENDED
    }
}
