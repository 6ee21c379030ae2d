package org.ulfmj.rabit.engine;

import org.ulfmj.protocol.SlotRuns;

/**
 * RELEASE: who keeps a result until the checkpoint. Results are dealt to classes of ranks, so that each has about so
 * many keepers; small worlds are one class, and every rank keeps everything.
 *
 * <p>Ranks of one class lie as far apart as can be, and hosts are filled with neighbouring ranks: so the keepers of a
 * result are on different hosts wherever there are as many.
 *
 * @param classes how many there are
 * @param own this rank's
 */
record Keepers(int classes, int own) {
    /** @param copies of each result, at least, if there are this many ranks */
    static Keepers of(SlotRuns members, int slot, int copies) {
        int classes = Math.max(members.size() / copies, 1);
        return new Keepers(classes, members.rank(slot) % classes);
    }

    boolean keep(long sequence) {
        return sequence % classes == own;
    }
}
