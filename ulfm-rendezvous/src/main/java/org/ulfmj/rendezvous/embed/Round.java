package org.ulfmj.rendezvous.embed;

import java.util.function.BooleanSupplier;

/**
 * What {@link RendezvousHandler#nextRendezvous} returns: the place of this process among those that have gathered. All
 * members of a round agree on its number and size, and each has another rank.
 */
public final class Round {
    private final SharedStore store;
    private final int rank;
    private final int size;
    private final long number;
    private final BooleanSupplier runs;

    Round(SharedStore store, int rank, int size, long number, BooleanSupplier runs) {
        this.store = store;
        this.rank = rank;
        this.size = size;
        this.number = number;
        this.runs = runs;
    }

    /**
     * The store of this round: no other round sees its keys. Its calls throw {@link RendezvousFailure.Fenced} once this
     * process is no member any more. Closing it leaves the handler open.
     */
    public SharedStore store() {
        return store;
    }

    /** From 0; another one in the next round. */
    public int rank() {
        return rank;
    }

    /** How many members the round has, the failed among them. */
    public int size() {
        return size;
    }

    /** Grows from round to round, with gaps. */
    public long number() {
        return number;
    }

    /**
     * Whether this process is a member still: it has not left, and was in touch with the store within its lease. Ask
     * before an effect outside of the store that a member of a later round must not meet.
     */
    public boolean isMember() {
        return runs.getAsBoolean();
    }
}
