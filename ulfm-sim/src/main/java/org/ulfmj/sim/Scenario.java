package org.ulfmj.sim;

import java.util.Set;

/**
 * One kind of world to simulate: which processes run, what they want, which faults may hit them, what must hold.
 *
 * <p>Scenarios are found by {@link java.util.ServiceLoader}. An instance is shared by all schedules of a run, on
 * several threads, so it keeps no state of a schedule.
 */
public interface Scenario {
    /** Short name for command lines: {@code agreements}. */
    String name();

    /** Returns the events that must each occur at least once in a run of many seeds. */
    default Set<String> mustCover() {
        return Set.of();
    }

    /** Returns the weight of this scenario in a mixed run: its share of the seeds relative to the other scenarios. */
    default int weight() {
        return 1;
    }

    /** Fills a fresh world with processes, faults and invariants. What is left to chance is drawn from its seed. */
    void build(Simulation world);
}
