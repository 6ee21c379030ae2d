package org.ulfmj.rabit.engine;

import java.util.ArrayList;
import java.util.List;

/**
 * What follows from a summary that all have agreed on: the same at everyone, so no rank has to ask for anything.
 *
 * @param outcome what becomes of the program
 * @param start where all go on together
 * @param transfers who sends what to whom, in the order of sending
 * @param text for messages; empty if everything goes on
 */
public record RecoveryPlan(Outcome outcome, Position start, List<Transfer> transfers, String text) {
    /** The rungs of the ladder, and its ends. */
    public enum Outcome {
        /** Ranks that lack results get them, and all go on where the first of them is. */
        CONTINUE,
        /**
         * A result is gone for good: all go back to the checkpoint. Where the start is that of the bootstrap phase they
         * make that phase again before.
         */
        ROLL_BACK,
        /** A result of the bootstrap phase is gone, and nothing is committed: all begin again. */
        RESTART,
        /** The checkpoint is gone from memory: all go back to one on disk. */
        FROM_SPILL,
        /** Nothing is left to go back to. */
        TOO_MANY_FAILURES,
        /** Ranks make different operations. */
        MISMATCH,
        /** A rank's wait took too long. */
        DEADLINE,
        /** The program, or a disk, fails at a rank, and would fail there again. */
        ERROR
    }

    /** What a rank sends, in order. */
    public List<Transfer> sentBy(int slot) {
        List<Transfer> own = new ArrayList<>();
        for (Transfer transfer : transfers) {
            if (transfer.holder() == slot) {
                own.add(transfer);
            }
        }
        return own;
    }

    /** What a rank gets, in the order of sending. */
    public List<Transfer> receivedBy(int slot) {
        List<Transfer> own = new ArrayList<>();
        for (Transfer transfer : transfers) {
            if (transfer.requester() == slot) {
                own.add(transfer);
            }
        }
        return own;
    }
}
