package org.ulfmj.runtime.host;

import java.util.Arrays;

/**
 * Whether long operations of a {@link HostWindow} are tried through lent memory. A rank that cannot read another's
 * memory now may never be able to: so after an operation in which not all ranks could read, later ones are not tried,
 * first 16, then twice as many for each further such operation in a row, up to 65,536.
 *
 * <p>All ranks answer alike, though operations end in any order: the outcome of an operation counts only from the
 * beginning of the next operation in the same slot on. By then the earlier operation was over at all ranks.
 */
final class LentTries {
    private static final int SHORTEST_PAUSE = 16;
    private static final int LONGEST_PAUSE = 1 << 16;

    private enum Outcome {
        NONE,
        READ,
        NOT_READ
    }

    /** By slot, the outcome of the last operation there that was tried through lent memory. */
    private final Outcome[] outcomes;

    private long notBefore;
    private int pause = SHORTEST_PAUSE;

    LentTries(int slots) {
        outcomes = new Outcome[slots];
        Arrays.fill(outcomes, Outcome.NONE);
    }

    /**
     * Whether an operation that begins is to be tried through lent memory. To be asked once for each operation that
     * could go so, in their order.
     */
    boolean isWorthIt(long number, int slot) {
        Outcome before = outcomes[slot];
        outcomes[slot] = Outcome.NONE;
        if (before == Outcome.READ) {
            pause = SHORTEST_PAUSE;
        } else if (before == Outcome.NOT_READ) {
            notBefore = number + pause;
            pause = Math.min(2 * pause, LONGEST_PAUSE);
        }
        return number >= notBefore;
    }

    /** Notes whether all ranks could read the lent memory in the operation that has this slot. */
    void end(int slot, boolean isRead) {
        outcomes[slot] = isRead ? Outcome.READ : Outcome.NOT_READ;
    }
}
