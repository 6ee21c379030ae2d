package org.ulfmj.check.exhaustive;

/** How a small world of replace() can end. */
enum ReplaceEnd {
    /** The new world lists the three ranks that called; a death came later, or none came. */
    NONE_MISSING,
    /** The new world has an empty slot, and no newcomer was started. */
    NO_NEWCOMER,
    /** The new world lists the newcomer. */
    NEWCOMER_ADMITTED,
    /** The new world has an empty slot, though a newcomer was started. */
    NEWCOMER_LEFT_OUT,
    /** The call failed at all that live. */
    NOT_REPLACED
}
