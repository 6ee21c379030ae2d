package org.ulfmj.runtime.collective;

import java.nio.ByteBuffer;

/**
 * Prefix reductions in ⌈log₂ n⌉ rounds. In the round of a bit, partners exchange the combination of their aligned block
 * of ranks; the upper one's prefix grows by the lower one's block. A lower block is always complete, for any n. An
 * upper one need not be, but no rank's prefix contains it.
 */
final class Prefixes {
    private Prefixes() {}

    /**
     * Plans that {@code prefix} holds, in the end, the combination of all ranks below this one. If {@code inclusive},
     * it also includes this rank's vector, which is in {@code prefix} at the beginning.
     */
    static void plan(Plan plan, ByteBuffer own, ByteBuffer prefix, int length, boolean inclusive) {
        if (plan.size() == 1) {
            return;
        }
        int rank = plan.rank();
        ByteBuffer block = plan.scratch(length);
        ByteBuffer room = plan.scratch(length);
        plan.copy(own, 0, block, 0, length);
        boolean prefixIsEmpty = !inclusive;
        for (int bit = 1; bit < plan.size(); bit *= 2) {
            int peer = rank ^ bit;
            if (peer >= plan.size()) {
                continue;
            }
            plan.send(peer, block, 0, length);
            plan.receive(peer, room, 0, length);
            plan.await();
            boolean peerIsLower = peer < rank;
            if (peerIsLower && prefixIsEmpty) {
                plan.copy(room, 0, prefix, 0, length);
                prefixIsEmpty = false;
            } else if (peerIsLower) {
                plan.combine(room, 0, prefix, 0, length);
            }
            ByteBuffer result = plan.combine(block, room, peerIsLower, 0, length);
            room = result == block ? room : block;
            block = result;
        }
    }
}
