package org.ulfmj.rendezvous.rounds;

/**
 * The size of a world whose processes join without a slot.
 *
 * @param min the number of members that a world needs to begin
 * @param max the number of members that a world may have; a process beyond them waits for a place
 * @param lastCallNs how long the core waits at most for more processes once there are {@code min}
 */
public record WorldSize(int min, int max, long lastCallNs) {
    public WorldSize {
        if (min < 1 || max < min) {
            throw new IllegalArgumentException("a world of " + min + " to " + max
                    + " ranks; at least 1 is needed, and no fewer than that at most");
        }
        if (lastCallNs < 0) {
            throw new IllegalArgumentException("a last call of " + lastCallNs + " ns");
        }
    }
}
