package org.ulfmj.runtime.collective;

import java.nio.ByteBuffer;

/**
 * Reductions of long vectors (Rabenseifner): partners exchange halves of what they are still responsible for, so that
 * after ⌊log₂ n⌋ rounds each representative holds the result of one piece; the same rounds backwards bring the pieces
 * together.
 *
 * <p>Nearest partners come first, with the largest halves: a block of numbers is then always a contiguous run of ranks,
 * and the tree of {@link Folding} is kept.
 */
final class VectorHalving {
    /** A run of whole elements, in bytes. */
    private record Piece(int offset, int length) {}

    private final Plan plan;
    private final Folding folding;
    private final int root;
    private final int number;
    private final int elements;

    private VectorHalving(Plan plan, int root, int length) {
        this.plan = plan;
        this.root = root;
        this.folding = plan.folding(root);
        this.number = folding.number(plan.rank());
        this.elements = length / plan.elementBytes();
    }

    /** As {@link RecursiveDoubling#allReduce}; the result is always in {@code mine}. */
    static void allReduce(Plan plan, ByteBuffer mine, ByteBuffer theirs, int length) {
        new VectorHalving(plan, 0, length).allReduce(mine, theirs, length);
    }

    /**
     * As {@link RecursiveDoubling#reduce}; the result is in {@code mine} at the root, and the content of both buffers
     * is unspecified elsewhere.
     */
    static void reduce(Plan plan, int root, ByteBuffer mine, ByteBuffer theirs, int length) {
        new VectorHalving(plan, root, length).reduce(mine, theirs, length);
    }

    private void allReduce(ByteBuffer mine, ByteBuffer theirs, int length) {
        int partner = folding.partner(plan.rank());
        if (!folding.isRepresentative(plan.rank())) {
            plan.send(partner, mine, 0, length);
            plan.await();
            plan.receive(partner, mine, 0, length);
            plan.await();
            return;
        }
        reduceToPieces(mine, theirs, length);
        for (int bit = folding.numbers() / 2; bit > 0; bit /= 2) {
            int peer = folding.representative(number ^ bit);
            sendPiece(peer, mine, number, 2 * bit);
            receivePiece(peer, mine, number ^ bit, 2 * bit);
            plan.await();
        }
        if (partner >= 0) {
            plan.send(partner, mine, 0, length);
            plan.await();
        }
    }

    private void reduce(ByteBuffer mine, ByteBuffer theirs, int length) {
        if (!folding.isRepresentative(plan.rank())) {
            plan.send(folding.partner(plan.rank()), mine, 0, length);
            return;
        }
        reduceToPieces(mine, theirs, length);
        int distance = number ^ folding.number(root);
        for (int bit = folding.numbers() / 2; bit > 0; bit /= 2) {
            int peer = folding.representative(number ^ bit);
            if ((distance & bit) != 0) {
                sendPiece(peer, mine, number, 2 * bit);
                return;
            }
            receivePiece(peer, mine, number ^ bit, 2 * bit);
            plan.await();
        }
    }

    /** Combines the vectors so that this rank has its piece of the result in {@code mine}. */
    private void reduceToPieces(ByteBuffer mine, ByteBuffer theirs, int length) {
        ByteBuffer held = RecursiveDoubling.fold(plan, folding, mine, theirs, length);
        ByteBuffer room = held == mine ? theirs : mine;
        for (int bit = 1; bit < folding.numbers(); bit *= 2) {
            int peer = folding.representative(number ^ bit);
            sendPiece(peer, held, number ^ bit, 2 * bit);
            receivePiece(peer, room, number, 2 * bit);
            plan.await();
            Piece kept = piece(number, 2 * bit);
            ByteBuffer result = plan.combine(held, room, (number & bit) != 0, kept.offset, kept.length);
            room = result == held ? room : held;
            held = result;
        }
        Piece result = piece(number, folding.numbers());
        plan.copy(held, result.offset, mine, result.offset, result.length);
    }

    private void sendPiece(int peer, ByteBuffer data, int owner, int limit) {
        Piece piece = piece(owner, limit);
        plan.send(peer, data, piece.offset, piece.length);
    }

    private void receivePiece(int peer, ByteBuffer data, int owner, int limit) {
        Piece piece = piece(owner, limit);
        plan.receive(peer, data, piece.offset, piece.length);
    }

    /** The piece that {@code owner} is responsible for after the rounds of all bits below {@code limit}. */
    private Piece piece(int owner, int limit) {
        int from = 0;
        int to = elements;
        for (int bit = 1; bit < limit; bit *= 2) {
            int middle = from + (to - from) / 2;
            if ((owner & bit) != 0) {
                from = middle;
            } else {
                to = middle;
            }
        }
        return new Piece(from * plan.elementBytes(), (to - from) * plan.elementBytes());
    }
}
