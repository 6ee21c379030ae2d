package org.ulfmj.transport.tcp;

/**
 * Faults of the links of one rank, for tests: connections are reset every so often, or swallow everything for a while.
 * A reset destroys the bytes that are unread or unsent at its end; it is made by the lower slot of a pair, so that each
 * link is reset once in a period. Under the engine lock.
 */
public final class LinkFaults {
    private final long afterNs;
    private final long resetEveryNs;
    private final long blackholeNs;
    private long nextResetNs = Long.MAX_VALUE;
    private long holeBeginsNs = Long.MAX_VALUE;
    private long holeEndsNs = Long.MAX_VALUE;
    private boolean isInHole;

    /**
     * @param afterNs how long after the start the first fault comes
     * @param resetEveryNs period of the resets; 0 for none
     * @param blackholeNs how long nothing passes on any link; 0 for never
     */
    public LinkFaults(long afterNs, long resetEveryNs, long blackholeNs) {
        this.afterNs = afterNs;
        this.resetEveryNs = resetEveryNs;
        this.blackholeNs = blackholeNs;
    }

    void begin(long nowNs) {
        if (resetEveryNs > 0) {
            nextResetNs = nowNs + afterNs;
        }
        if (blackholeNs > 0) {
            holeBeginsNs = nowNs + afterNs;
            holeEndsNs = holeBeginsNs + blackholeNs;
        }
    }

    /** Does what is due to the links. */
    void onTick(LinkTable links, int ownSlot, long nowNs) {
        if (nextResetNs != Long.MAX_VALUE && nowNs - nextResetNs >= 0) {
            nextResetNs = nowNs + resetEveryNs;
            links.resetConnections(nowNs, ownSlot + 1);
        }
        if (holeBeginsNs != Long.MAX_VALUE && nowNs - holeBeginsNs >= 0) {
            holeBeginsNs = Long.MAX_VALUE;
            isInHole = true;
            links.severConnections();
        }
        if (isInHole && nowNs - holeEndsNs >= 0) {
            isInHole = false;
            holeEndsNs = Long.MAX_VALUE;
        }
    }

    /** Whether nothing passes at present. */
    boolean isInHole() {
        return isInHole;
    }

    long nextDeadlineNs() {
        return Math.min(nextResetNs, isInHole ? holeEndsNs : holeBeginsNs);
    }
}
