package org.ulfmj.sim;

import java.util.Locale;

/**
 * A property that holds in every schedule: one class per property, named after it. An invariant that is broken throws
 * {@link Violation}, which says what the invariant saw.
 */
public interface Invariant {
    /** Called after each step of each process, but not after a step that a planned crash ends. */
    default void afterStep(SimProcess<?, ?> process) {}

    /**
     * Returns what must become true in the end and is not true yet, as a text for the report; null if nothing is open.
     * A schedule comes to its end when no invariant has anything open, all planned faults have happened, no process is
     * paused and no foreground message is on its way.
     */
    default String open() {
        return null;
    }

    /** Called when the schedule has come to its end, unless another invariant was found broken there before. */
    default void atEnd() {}

    /** Returns the name for reports: the name of the class, split into lower-case words. */
    default String name() {
        return getClass().getSimpleName().replaceAll("(?<=[a-z])(?=[A-Z])", " ").toLowerCase(Locale.ROOT);
    }
}
