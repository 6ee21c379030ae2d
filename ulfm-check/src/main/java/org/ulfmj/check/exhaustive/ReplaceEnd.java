package org.ulfmj.check.exhaustive;

/** The possible ends of a small world of replace() or grow(). */
enum ReplaceEnd {
    /** The new world lists all three ranks that called, and no newcomer was started. */
    NONE_MISSING,
    /** The new world has an empty slot, and no newcomer was started. */
    NO_NEWCOMER,
    /** The new world lists the newcomer. */
    NEWCOMER_ADMITTED,
    /** A newcomer was started, and the new world does not list it. */
    NEWCOMER_LEFT_OUT,
    /** There is no new world: at all live ranks replace() failed, or grow() changed nothing. */
    NOT_REPLACED
}
