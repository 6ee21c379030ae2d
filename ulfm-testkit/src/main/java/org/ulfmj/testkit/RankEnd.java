package org.ulfmj.testkit;

/** How a rank of a {@link LocalWorld} came to its end. */
public enum RankEnd {
    /** The main returned after Finalize. */
    FINALIZED,
    /** The main returned without Finalize, which is a failure in the eyes of the others. */
    RETURNED,
    /** The main threw; likewise. */
    THREW,
    /** A fault that the test asked for. */
    KILLED,
    /** The others had marked it failed although it was alive. */
    FENCED,
    /** The launcher ended it: nothing was heard of it, or it and another rank that lives did not hear each other. */
    SILENCED,
    /** It was started in the place of a dead one, and the world went on without it. */
    NOT_ADMITTED,
    /** It, or another rank, called {@code abort}, or an error handler ended the job. */
    ABORTED,
    /** An invariant of the runtime does not hold: a bug in this library. */
    BROKEN
}
