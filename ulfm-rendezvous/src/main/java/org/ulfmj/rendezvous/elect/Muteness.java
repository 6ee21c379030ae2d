package org.ulfmj.rendezvous.elect;

/**
 * Whether a coordinator's outputs have been held for so long that it must not count the time, for silences or for
 * joins: no process can answer what it has not heard. Pure.
 */
public final class Muteness {
    /** Outputs that are held for longer than this part of the judge's timeout count. */
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

    /** The coordinator has stood still, as the office was not its own for certain. */
    public Change stoodStill() {
        boolean isNew = !isMute;
        isMute = true;
        return isNew ? Change.BEGINS : Change.NONE;
    }

    /**
     * To be asked before and after each step.
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
