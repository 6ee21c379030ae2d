package org.ulfmj.runtime.options;

/**
 * How a process was started that had no slot at its start: as a spare, which the launcher gives a slot later, or as a
 * child in an elastic job, where the rendezvous or the members give one.
 *
 * @param number the number by which the launchers of the job know the process until it has a slot, from 1. A launcher
 *     that joins a job counts on from the last number that was given there
 * @param min the least number of members with which the world of an elastic job begins; 0 for a spare
 * @param max the greatest number of members that the world of an elastic job may have; 0 for a spare
 */
public record WithoutSlot(int number, int min, int max) {
    public WithoutSlot {
        boolean isSpare = min == 0 && max == 0;
        if (number < 1 || !isSpare && (min < 1 || max < min)) {
            throw new IllegalArgumentException(
                    "process " + number + " without a slot, in a world of " + min + " to " + max + " ranks");
        }
    }

    /** Makes the value for a spare; null for 0, which is no spare. */
    public static WithoutSlot spare(int number) {
        return number == 0 ? null : new WithoutSlot(number, 0, 0);
    }

    /** Whether the process belongs to an elastic job. */
    public boolean isElastic() {
        return max > 0;
    }
}
