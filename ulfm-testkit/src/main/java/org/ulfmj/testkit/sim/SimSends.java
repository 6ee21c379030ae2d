package org.ulfmj.testkit.sim;

import org.ulfmj.testkit.sim.fault.SendPoint;

/**
 * Counts the sends of a simulated process (frames, calls of processes by name, and stores to shared memory), and
 * determines the one before which a planned crash comes. Needs the baton.
 */
final class SimSends {
    private long frames;
    private long bytes;
    private long framesToDeath;
    private long bytesToDeath;

    /** Lets the process die before its sends reach this point. */
    void dieAt(SendPoint point) {
        if (point.unit() == SendPoint.Unit.FRAME) {
            framesToDeath = point.count();
        } else {
            bytesToDeath = point.count();
        }
    }

    /** Counts one more send. Returns whether a planned crash comes before it. */
    boolean isLast(int lengthBytes) {
        frames++;
        bytes += lengthBytes;
        if (frames == framesToDeath || bytesToDeath > 0 && bytes >= bytesToDeath) {
            bytesToDeath = 0;
            return true;
        }
        return false;
    }

    long frames() {
        return frames;
    }

    /** The bytes of all sends, headers included. */
    long bytes() {
        return bytes;
    }
}
