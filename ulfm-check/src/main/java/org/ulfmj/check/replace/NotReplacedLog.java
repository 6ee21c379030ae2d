package org.ulfmj.check.replace;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.ulfmj.agree.change.ChangeOutcome;

/** The returns of replace() with an error because slots stayed empty. For invariants only. */
public final class NotReplacedLog {
    /** One return from replace() with that error; {@code agreements} is how many agreements the call took. */
    public record Return(
            ReplaceRank rank, long communicator, ChangeOutcome.Incomplete outcome, long agreements, long tookNs) {
        public boolean isOfTheSameCallAs(Return other) {
            return communicator == other.communicator && rank != other.rank;
        }
    }

    private final List<Return> returns = new ArrayList<>();

    public void add(ReplaceRank rank, ChangeOutcome.Incomplete outcome) {
        long agreements = rank.core().agreements().last(rank.communicator()) - rank.agreementsBefore();
        long tookNs = rank.simulation().nowNs() - rank.calledNs();
        returns.add(new Return(rank, rank.communicator(), outcome, agreements, tookNs));
    }

    /** Returns all logged returns in the order in which they happened; a live view that only grows. */
    public List<Return> returns() {
        return Collections.unmodifiableList(returns);
    }
}
