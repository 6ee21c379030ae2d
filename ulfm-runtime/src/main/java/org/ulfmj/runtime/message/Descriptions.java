package org.ulfmj.runtime.message;

import java.util.Arrays;

/**
 * The descriptions by which the members of one communicator say which collective operation they begin. A description of
 * an operation that this rank has not begun yet is kept. Under the engine lock.
 *
 * <p>An operation by messages ends with success only when all its partners have sent their description. So a
 * description of an operation that has ended here, or that this rank did without a description, comes from a rank that
 * is in another operation.
 */
public final class Descriptions {
    /** An operation of this rank that has a description: it is told the descriptions that other members send. */
    public interface Listener {
        /** Tells that a member is in the operation with the same number, and has sent this description of it. */
        void onDescription(int rank, long description);

        /**
         * Tells that a member has described an operation with a lower number. At this rank that operation is over, and
         * did not have the member as a partner or went without descriptions.
         */
        void onStray(int rank, long description);
    }

    private static final int FEW = 8;

    private int[] ranks = new int[FEW];
    private int[] sequences = new int[FEW];
    private long[] descriptions = new long[FEW];
    private int count;

    private Listener current;
    private int currentSequence;

    /**
     * Notes that an operation of this rank begins. The listener is told at once the descriptions that came for this
     * operation or an earlier one.
     */
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

    /**
     * Takes in a member's description of its operation: tells it to the listener, or keeps it for an operation that
     * this rank has not begun.
     *
     * @param sequence the number of the member's operation on the communicator, cut to 32 bits
     */
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
            // The listener was told another description before, and has ended the operation.
            return;
        }
        if (sequence == currentSequence) {
            listener.onDescription(rank, description);
        } else {
            listener.onStray(rank, description);
        }
    }
}
