package org.ulfmj.rabit.engine;

import org.ulfmj.protocol.SlotRuns;

/**
 * RELEASE: which ranks keep a result until the checkpoint. The ranks are divided into classes, and each result is kept
 * by one class: by at least the wanted number of ranks, if there are so many, and by fewer than twice as many. A small
 * world is one class, and every rank keeps every result.
 *
 * <p>If there are several classes, ranks with successive numbers are of different ones. So where hosts are filled with
 * such ranks, the keepers of a result are spread over the hosts.
 *
 * @param classes the number of classes
 * @param own the class of this rank
 */
record Keepers(int classes, int own) {
    /** @param copies the least number of keepers of each result, if there are this many ranks */
    static Keepers of(SlotRuns members, int slot, int copies) {
        int classes = Math.max(members.size() / copies, 1);
        return new Keepers(classes, members.rank(slot) % classes);
    }

    boolean keep(long sequence) {
        return sequence % classes == own;
    }
}
