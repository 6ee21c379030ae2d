package org.ulfmj.rendezvous.elect;

/**
 * Finds out whether a coordinator's outputs have been held for so long that the time must not count, for silences or
 * for joins: no process can answer what it has not heard. Pure.
 */
public final class Muteness {
    /** A coordinator is mute once outputs are held for this part of the judge's timeout: one twentieth. */
    private static final int PARTS = 20;

    private static final long NEVER = Long.MAX_VALUE;

    /** What a look has shown. */
    public enum Change {
        NONE,
        BEGINS,
        ENDS
    }

    private final long longestNs;
    private long sinceNs = NEVER;
    private boolean isMute;

    /** @param timeoutNs of the judge */
    public Muteness(long timeoutNs) {
        this.longestNs = timeoutNs / PARTS;
    }

    /**
     * Notes that the coordinator has stood still, because it could not be sure of the office. Returns whether it
     * becomes mute by that.
     */
    public Change stoodStill() {
        boolean isNew = !isMute;
        isMute = true;
        return isNew ? Change.BEGINS : Change.NONE;
    }

    /**
     * Notes whether outputs are held now. To be called before and after each step. Returns whether the coordinator
     * becomes mute, or stops being so.
     *
     * @param isHeld whether outputs are held
     */
    public Change look(boolean isHeld, long nowNs) {
        if (!isHeld) {
            boolean wasMute = isMute;
            isMute = false;
            sinceNs = NEVER;
            return wasMute ? Change.ENDS : Change.NONE;
        }
        sinceNs = sinceNs == NEVER ? nowNs : sinceNs;
        return nowNs - sinceNs >= longestNs ? stoodStill() : Change.NONE;
    }
}
