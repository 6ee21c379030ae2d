package org.ulfmj.runtime.progress;

/**
 * How often a short operation in shared memory looks for the flags of the other ranks when it begins. If the flags come
 * during these looks, the call that starts the operation also completes it, and a program that waits at once need not
 * enter the engine again. The looks are in vain for a program that computes between the start and the wait.
 *
 * <p>An operation looks once, or up to 64 times while many looks pay off. Each wait that saw flags arrive shortly after
 * it began counts for many looks, and so does each success of many looks; an attempt in vain counts four times as much
 * against them.
 */
public final class FirstLooks {
    /**
     * The most looks of one operation. So many looks take a quarter of a microsecond, which is what a flag needs
     * between distant cores.
     */
    private static final int MOST = 64;

    private static final int LOOKS_A_PAUSE = 16;
    private static final int MOST_TRUST = 8;
    private static final int TRUST_OF_VAIN_LOOKS = 4;
    /**
     * When vain looks have ended the many looks, more than this many waits that end soon are needed before they begin
     * again.
     */
    private static final int REST = 64;

    private final boolean isCrowded;
    /** An operation looks many times while this is above 0; otherwise it looks once. */
    private int trust;

    /**
     * @param isCrowded whether there are more ranks than cores: then the other ranks do not run while this rank looks,
     *     and an operation looks once only
     */
    public FirstLooks(boolean isCrowded) {
        this.isCrowded = isCrowded;
    }

    /**
     * Notes that a thread that waits for an operation saw the flags of the other ranks soon after it began to wait, but
     * not at its first look. The operation may still have to wait for further flags.
     */
    public void onSoon() {
        if (!isCrowded && trust < MOST_TRUST) {
            trust++;
        }
    }

    /**
     * Looks for the flags of the other ranks, once or many times, and returns whether those are there that a just begun
     * operation waits for.
     */
    public boolean areThere(SeenInMemory operation) {
        if (operation.mayGoOn()) {
            return true;
        }
        if (trust <= 0) {
            return false;
        }
        for (int i = 1; i < MOST; i++) {
            if (i % LOOKS_A_PAUSE == 0) {
                Thread.onSpinWait();
            }
            if (operation.mayGoOn()) {
                trust = Math.min(MOST_TRUST, trust + 1);
                return true;
            }
        }
        trust -= TRUST_OF_VAIN_LOOKS;
        if (trust <= 0) {
            trust = -REST;
        }
        return false;
    }
}
