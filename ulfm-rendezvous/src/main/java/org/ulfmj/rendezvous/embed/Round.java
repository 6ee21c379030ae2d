package org.ulfmj.rendezvous.embed;

import java.util.function.BooleanSupplier;

/**
 * What {@link RendezvousHandler#nextRendezvous} returns: the number and size of a round, and the rank of this process.
 * All members of a round agree on its number and size, and each has another rank.
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

    /** The rank of this process in this round, from 0; it may have another rank in the next round. */
    public int rank() {
        return rank;
    }

    /** How many members the round began with, also if some have failed since. */
    public int size() {
        return size;
    }

    /** Grows from round to round, perhaps by more than one. */
    public long number() {
        return number;
    }

    /**
     * Whether this process is still a member of the round: it has not left, and was in contact with the store within
     * its lease. A program asks this before an effect outside of the store that must not meet a later round.
     */
    public boolean isMember() {
        return runs.getAsBoolean();
    }
}
