package org.ulfmj.rabit.engine;

import java.util.ArrayList;
import java.util.List;

/**
 * What follows from a summary that all ranks have agreed on. The plan is the same at every rank, so no rank has to ask
 * for anything.
 *
 * @param outcome what becomes of the program
 * @param start where all go on together; without meaning if the program ends
 * @param transfers which rank sends which item to which rank, in the order of sending
 * @param text for messages; empty if everything goes on
 */
public record RecoveryPlan(Outcome outcome, Position start, List<Transfer> transfers, String text) {
    /** What becomes of the program: it goes on, it goes back, or it ends. */
    public enum Outcome {
        /** Ranks are sent the results and models that they lack, and all go on from the place of the foremost rank. */
        CONTINUE,
        /**
         * All ranks go back to the checkpoint in memory, or to version 0 if there is none, because a result is lost for
         * good or the ranks of the job have changed. If the start is in the bootstrap phase, all ranks make that phase
         * again before.
         */
        ROLL_BACK,
        /** All ranks begin, or begin again, without a checkpoint: they cannot go on, and nothing is committed. */
        RESTART,
        /** Something that is needed is in no rank's memory any more: all ranks go back to a checkpoint on disk. */
        FROM_SPILL,
        /** Nothing is left to go back to. */
        TOO_MANY_FAILURES,
        /** Ranks make different operations. */
        MISMATCH,
        /** A rank's wait took too long. */
        DEADLINE,
        /** A rank has met an error that it would meet again after a restart. */
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

    /** The transfers by which a rank is sent items, in the order of sending. */
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
