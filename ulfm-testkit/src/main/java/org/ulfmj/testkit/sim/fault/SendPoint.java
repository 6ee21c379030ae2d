package org.ulfmj.testkit.sim.fault;

import org.ulfmj.sim.SeededRandom;

/**
 * A point in the sends of a process.
 *
 * @param count of frames, or of bytes with headers, from 1; for a point that is to be drawn, the bound
 */
public record SendPoint(Unit unit, long count, boolean isDrawn) {
    /** The unit of the count. A store to shared memory counts as a frame. */
    public enum Unit {
        FRAME("frame", 1024),
        BYTE("byte", 65_536);

        final String key;
        /** The limit for a drawn count if the rule names no limit. */
        final long usualBound;

        Unit(String key, long usualBound) {
            this.key = key;
            this.usualBound = usualBound;
        }
    }

    public static SendPoint frame(long count) {
        return new SendPoint(Unit.FRAME, count, false);
    }

    public SendPoint drawnBy(SeededRandom chance) {
        return isDrawn ? new SendPoint(unit, chance.anyMagnitude(count), false) : this;
    }

    @Override
    public String toString() {
        return unit.key + "=" + count;
    }
}
