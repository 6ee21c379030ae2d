package org.ulfmj.testkit.sim;

import org.ulfmj.testkit.sim.fault.SendPoint;

/**
 * What a simulated process has sent, frames and stores to shared memory, and where it dies by that. Needs the baton.
 */
final class SimSends {
    private long frames;
    private long bytes;
    private long framesToDeath;
    private long bytesToDeath;

    /** The process dies before it gets there. */
    void dieAt(SendPoint point) {
        if (point.unit() == SendPoint.Unit.FRAME) {
            framesToDeath = point.count();
        } else {
            bytesToDeath = point.count();
        }
    }

    /** Counts one more; returns whether the process dies before it is sent. */
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

    /** Headers too. */
    long bytes() {
        return bytes;
    }
}
