package org.ulfmj.check.exhaustive;

/** The possible ends of a small world of replace(). */
enum ReplaceEnd {
    /** The new world lists all three ranks that called. No rank had died before it was decided. */
    NONE_MISSING,
    /** The new world has an empty slot, and no newcomer was started. */
    NO_NEWCOMER,
    /** The new world lists the newcomer. */
    NEWCOMER_ADMITTED,
    /** The new world has an empty slot, though a newcomer was started. */
    NEWCOMER_LEFT_OUT,
    /** The call failed at all live ranks. */
    NOT_REPLACED
}
