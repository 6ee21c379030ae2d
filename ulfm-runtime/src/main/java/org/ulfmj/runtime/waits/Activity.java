package org.ulfmj.runtime.waits;

/**
 * The present activity of the thread that called Init.
 *
 * @param forNs for how long the thread has done so, at least; 0 if that is not known
 * @param call the MPI method that the thread is in; empty if it is in none, or waits in one
 * @param site the innermost line of the program on the stack, or the line that called MPI; empty if that is not known
 */
public record Activity(Kind kind, long forNs, String call, String site) {
    /** Names on the wire by their order. */
    public enum Kind {
        /** The thread waits in MPI: the wait is in the report's list of waits. */
        WAITS,
        /** Runs the program's code, not in MPI. */
        COMPUTES,
        /** The thread waits outside MPI, for instance for a lock, or in a sleep. */
        BLOCKED,
        /** Works inside an MPI call. */
        IN_CALL,
        /** The thread runs code of the program that MPI called: an operator. */
        IN_OPERATOR,
        /** Has ended. */
        ENDED
    }
}
