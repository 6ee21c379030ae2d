package org.ulfmj.check.uniform;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.ulfmj.agree.message.Decision;
import org.ulfmj.protocol.SlotSet;

/** All returns from uniform agreements in one world, as an outside observer sees them. For invariants only. */
final class Returns {
    /**
     * One return of one rank from one call.
     *
     * @param listed the processes that the decisions of the call list as failed, as far as this rank has them
     * @param known members that the rank has marked failed as it returns
     */
    record Return(long communicator, long call, UniformRank rank, Decision decision, SlotSet listed, SlotSet known) {
        boolean isOfTheSameCallAs(Return other) {
            return communicator == other.communicator && call == other.call && rank != other.rank;
        }

        boolean differsFrom(Return other) {
            return isOfTheSameCallAs(other) && !decision.equals(other.decision);
        }

        boolean lists(UniformRank other) {
            return listed.contains(other.id().slot());
        }

        @Override
        public String toString() {
            return rank + " returned " + decision + " from call " + call + " on " + Long.toHexString(communicator)
                    + ", in which " + listed + " are listed as failed";
        }
    }

    private final List<Return> all = new ArrayList<>();
    private boolean wrongSuspicion;

    void add(Return one) {
        all.add(one);
    }

    /** Returns all returns in the order in which they happened; a live view that only grows. */
    List<Return> all() {
        return Collections.unmodifiableList(all);
    }

    /** Notes that a process has marked another one failed that still runs. */
    void suspectedWrongly() {
        wrongSuspicion = true;
    }

    /** Whether a process has marked a running one failed so far. */
    boolean wasAnySuspectedWrongly() {
        return wrongSuspicion;
    }
}
