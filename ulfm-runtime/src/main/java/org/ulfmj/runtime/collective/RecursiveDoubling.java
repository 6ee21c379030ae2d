package org.ulfmj.runtime.collective;

import java.nio.ByteBuffer;

/**
 * Reductions that move whole vectors, for short ones: in an allreduce every representative exchanges with ⌊log₂ n⌋
 * others.
 */
final class RecursiveDoubling {
    private RecursiveDoubling() {}

    /**
     * Combines {@code mine} of all ranks and returns the one of the two buffers that holds the result at the end. Both
     * have {@code length} bytes from offset 0; {@code theirs} is room for what arrives.
     */
    static ByteBuffer allReduce(Plan plan, ByteBuffer mine, ByteBuffer theirs, int length) {
        Folding folding = plan.folding(0);
        int rank = plan.rank();
        int partner = folding.partner(rank);
        if (!folding.isRepresentative(rank)) {
            plan.send(partner, mine, 0, length);
            plan.await();
            plan.receive(partner, mine, 0, length);
            plan.await();
            return mine;
        }
        ByteBuffer held = fold(plan, folding, mine, theirs, length);
        ByteBuffer room = held == mine ? theirs : mine;
        int number = folding.number(rank);
        for (int bit = 1; bit < folding.numbers(); bit *= 2) {
            int peer = folding.representative(number ^ bit);
            plan.send(peer, held, 0, length);
            plan.receive(peer, room, 0, length);
            plan.await();
            ByteBuffer result = plan.combine(held, room, (number & bit) != 0, 0, length);
            room = result == held ? room : held;
            held = result;
        }
        if (partner >= 0) {
            plan.send(partner, held, 0, length);
            plan.await();
        }
        return held;
    }

    /**
     * Combines at the root and returns the buffer that holds the result there; at the other ranks the content of both
     * buffers is unspecified afterwards. At a rank for which {@link #isLeaf} is true, {@code mine} is only read and
     * {@code theirs} not used.
     */
    static ByteBuffer reduce(Plan plan, int root, ByteBuffer mine, ByteBuffer theirs, int length) {
        Folding folding = plan.folding(root);
        int rank = plan.rank();
        if (!folding.isRepresentative(rank)) {
            plan.send(folding.partner(rank), mine, 0, length);
            return mine;
        }
        ByteBuffer held = fold(plan, folding, mine, theirs, length);
        ByteBuffer room = held == mine ? theirs : mine;
        int number = folding.number(rank);
        // Of the two representatives of a pair of blocks, the one nearer to the root (in differing bits) goes on.
        int distance = number ^ folding.number(root);
        for (int bit = 1; bit < folding.numbers(); bit *= 2) {
            int peer = folding.representative(number ^ bit);
            if ((distance & bit) != 0) {
                plan.send(peer, held, 0, length);
                return held;
            }
            plan.receive(peer, room, 0, length);
            plan.await();
            ByteBuffer result = plan.combine(held, room, (number & bit) != 0, 0, length);
            room = result == held ? room : held;
            held = result;
        }
        return held;
    }

    /** Whether this rank, in {@link #reduce}, only sends its vector. */
    static boolean isLeaf(Plan plan, int root) {
        Folding folding = plan.folding(root);
        int rank = plan.rank();
        boolean isFolded = !folding.isRepresentative(rank);
        boolean isOdd = ((folding.number(rank) ^ folding.number(root)) & 1) != 0;
        return isFolded || (folding.partner(rank) < 0 && isOdd);
    }

    /**
     * At the representative of a pair: receives the partner's vector, and combines it with its own. At a single rank:
     * does nothing. Returns the buffer that holds the result.
     */
    static ByteBuffer fold(Plan plan, Folding folding, ByteBuffer mine, ByteBuffer theirs, int length) {
        int partner = folding.partner(plan.rank());
        if (partner < 0) {
            return mine;
        }
        plan.receive(partner, theirs, 0, length);
        plan.await();
        return plan.combine(mine, theirs, partner < plan.rank(), 0, length);
    }
}
