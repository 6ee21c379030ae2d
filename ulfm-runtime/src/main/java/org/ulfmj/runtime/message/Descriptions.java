package org.ulfmj.runtime.message;

import java.util.Arrays;

/**
 * What the members of one communicator say of the described operations that they begin, as far as it came here: of
 * those that this rank has not begun yet it is kept. Under the engine lock.
 *
 * <p>An operation ends only when all its partners have said what theirs is. So what comes for one that has ended, or
 * for one that this rank has passed without a description, comes from a rank that is in something else.
 */
public final class Descriptions {
    /** A described operation of this rank. */
    public interface Listener {
        /** A member is in the operation of the same number. */
        void onDescription(int rank, long description);

        /** A member was in an operation of an earlier number, as whose partner it does not count here. */
        void onStray(int rank, long description);
    }

    private static final int FEW = 8;

    private int[] ranks = new int[FEW];
    private int[] sequences = new int[FEW];
    private long[] descriptions = new long[FEW];
    private int count;

    private Listener current;
    private int currentSequence;

    /** An operation of this rank begins; what came for it, or for an earlier one, is told at once. */
    public void begin(long sequence, Listener listener) {
        current = listener;
        currentSequence = (int) sequence;
        for (int i = count - 1; i >= 0; i--) {
            if (sequences[i] - currentSequence <= 0) {
                int rank = ranks[i];
                int said = sequences[i];
                long description = descriptions[i];
                count--;
                ranks[i] = ranks[count];
                sequences[i] = sequences[count];
                descriptions[i] = descriptions[count];
                tell(rank, said, description);
            }
        }
    }

    public void end(Listener listener) {
        if (current == listener) {
            current = null;
        }
    }

    /** A member says what its operation is; the number is that of its communicator, cut to 32 bits. */
    public void on(int rank, int sequence, long description) {
        if (current != null && sequence - currentSequence <= 0) {
            tell(rank, sequence, description);
            return;
        }
        if (count == ranks.length) {
            ranks = Arrays.copyOf(ranks, 2 * count);
            sequences = Arrays.copyOf(sequences, 2 * count);
            descriptions = Arrays.copyOf(descriptions, 2 * count);
        }
        ranks[count] = rank;
        sequences[count] = sequence;
        descriptions[count++] = description;
    }

    private void tell(int rank, int sequence, long description) {
        Listener listener = current;
        if (listener == null) {
            // What was told before has ended it.
            return;
        }
        if (sequence == currentSequence) {
            listener.onDescription(rank, description);
        } else {
            listener.onStray(rank, description);
        }
    }
}
