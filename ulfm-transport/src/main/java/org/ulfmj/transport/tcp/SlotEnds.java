package org.ulfmj.transport.tcp;

/**
 * The links between slots that a fault happens to.
 *
 * @param from slot of the sender; {@link #ANY} for every slot
 * @param to slot of the receiver; {@link #ANY} for every slot
 * @param bothWays whether it also happens to what goes from {@code to} to {@code from}
 */
public record SlotEnds(int from, int to, boolean bothWays) implements LinkEnds {
    /** In place of a slot: each. */
    public static final int ANY = -1;
    /** Every link. */
    static final SlotEnds ALL = new SlotEnds(ANY, ANY, true);

    /** Whether the fault hits what {@code sender} sends to {@code receiver}. */
    boolean hits(int sender, int receiver) {
        return isPair(sender, receiver) || bothWays && isPair(receiver, sender);
    }

    private boolean isPair(int one, int other) {
        return (from == ANY || from == one) && (to == ANY || to == other);
    }
}
