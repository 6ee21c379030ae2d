package org.ulfmj.runtime.collective.run;

import java.util.Arrays;
import java.util.List;
import org.ulfmj.runtime.error.CallError;
import org.ulfmj.runtime.error.ErrorClass;
import org.ulfmj.runtime.message.Descriptions;
import org.ulfmj.runtime.transfer.CallErrors;
import org.ulfmj.runtime.transfer.Operation;

/**
 * Finds out whether all partners of one collective operation by messages are in the same operation. Each rank sends its
 * description to all its partners, so in both directions of every edge, before any other message. No rank ends the
 * operation with success before it has the descriptions of all its partners.
 *
 * <p>Descriptions go in both directions, and at once. Else two ranks in different operations may wait for each other's
 * data over edges that only one of the two schedules has, and no rank finds out. Under the engine lock.
 */
final class DescribedEdges implements Descriptions.Listener {
    private final ScheduleRun run;
    private final long description;
    private final int[] partners;
    private final boolean[] hasSaid;
    private int left;
    /**
     * The sends of this rank's description to the partners. One of them may still wait for room when all else of the
     * operation is done.
     */
    private final Operation[] sends;

    private int otherRank = -1;
    private long otherDescription;

    DescribedEdges(ScheduleRun run, long description, int[] partners) {
        this.run = run;
        this.description = description;
        this.partners = partners;
        this.hasSaid = new boolean[partners.length];
        this.left = partners.length;
        this.sends = new Operation[partners.length];
    }

    /**
     * Begins to send this rank's description to each partner, and then takes in the descriptions that have come before.
     * One of these may not match, so the run may have failed when this method returns.
     */
    void open() {
        for (int i = 0; i < partners.length && !run.isDone(); i++) {
            sends[i] = run.describe(partners[i], description);
        }
        run.communicator.descriptions().begin(run.sequence(), this);
    }

    void close() {
        run.communicator.descriptions().end(this);
    }

    /**
     * Whether all partners are known to be in the same operation, and this rank's description has gone to all of them.
     */
    boolean areSettled() {
        if (left > 0) {
            return false;
        }
        for (Operation send : sends) {
            if (!send.isDone()) {
                return false;
            }
        }
        return true;
    }

    @Override
    public void onDescription(int rank, long theirs) {
        if (theirs != description) {
            onStray(rank, theirs);
            return;
        }
        int at = Arrays.binarySearch(partners, rank);
        if (at >= 0 && !hasSaid[at]) {
            hasSaid[at] = true;
            left--;
            if (left == 0) {
                run.onHeard();
            }
        }
    }

    @Override
    public void onStray(int rank, long theirs) {
        if (otherRank < 0) {
            otherRank = rank;
            otherDescription = theirs;
            run.fail(ErrorClass.OTHER);
        }
    }

    /** Whether a member is known to be in another operation: then the run has failed. */
    boolean isContradicted() {
        return otherRank >= 0;
    }

    CallError fault(CallErrors errors) {
        return errors.described(run.communicator, run.operation(), otherRank, otherDescription, description);
    }

    void addMissing(List<Integer> ranks) {
        for (int i = 0; i < partners.length; i++) {
            if (!hasSaid[i] && !ranks.contains(partners[i])) {
                ranks.add(partners[i]);
            }
        }
    }
}
