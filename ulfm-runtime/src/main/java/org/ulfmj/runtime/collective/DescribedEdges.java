package org.ulfmj.runtime.collective;

import java.util.Arrays;
import java.util.List;
import org.ulfmj.runtime.error.CallError;
import org.ulfmj.runtime.error.ErrorClass;
import org.ulfmj.runtime.message.Descriptions;
import org.ulfmj.runtime.transfer.CallErrors;
import org.ulfmj.runtime.transfer.Operation;

/**
 * Whether all partners of one collective operation by messages are in the same one. Each tells all its partners, in
 * both directions of every edge, what it is in, before anything else; and none ends before it has heard all of its own.
 *
 * <p>Both directions, and at once: else two ranks in different operations may wait for each other's data over edges
 * that only one of the two schedules has, and no rank finds out. Under the engine lock.
 */
final class DescribedEdges implements Descriptions.Listener {
    private final ScheduleRun run;
    private final long description;
    private final int[] partners;
    private final boolean[] hasSaid;
    private int left;
    /** What tells them; one may lack room when everything else is over. */
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

    /** Tells all partners; the run may fail meanwhile, by what they have said before. */
    void open() {
        for (int i = 0; i < partners.length && !run.isDone(); i++) {
            sends[i] = run.describe(partners[i], description);
        }
        run.communicator.descriptions().begin(run.sequence(), this);
    }

    void close() {
        run.communicator.descriptions().end(this);
    }

    /** Whether all partners are known to be in the same operation, and have been told of ours. */
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

    /** Whether a member is in another operation: then the run has failed. */
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
