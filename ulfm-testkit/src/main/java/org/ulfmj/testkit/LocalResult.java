package org.ulfmj.testkit;

import java.util.ArrayList;
import java.util.List;

/** How a program over ranks as threads ended. Immutable. */
public final class LocalResult {
    private final List<RankOutcome> outcomes;
    private final Integer abortCode;

    LocalResult(List<RankOutcome> outcomes, Integer abortCode) {
        this.outcomes = List.copyOf(outcomes);
        this.abortCode = abortCode;
    }

    /** For the worlds of this library. */
    public static LocalResult of(List<RankOutcome> outcomes, Integer abortCode) {
        return new LocalResult(outcomes, abortCode);
    }

    public int size() {
        return outcomes.size();
    }

    public RankOutcome outcome(int rank) {
        return outcomes.get(rank);
    }

    public RankEnd end(int rank) {
        return outcomes.get(rank).end();
    }

    /** The ranks with this end, ascending. */
    public List<Integer> ranks(RankEnd end) {
        List<Integer> ranks = new ArrayList<>();
        for (int rank = 0; rank < outcomes.size(); rank++) {
            if (outcomes.get(rank).end() == end) {
                ranks.add(rank);
            }
        }
        return ranks;
    }

    public boolean isAborted() {
        return abortCode != null;
    }

    /** The code given to {@code abort}; throws if the job was not aborted. */
    public int abortCode() {
        if (abortCode == null) {
            throw new IllegalStateException("the job was not aborted: " + this);
        }
        return abortCode;
    }

    /**
     * Requires that every rank that was not killed or fenced came through Finalize, or at least returned.
     *
     * @return this
     * @throws AssertionError if not, with what the ranks threw as its causes
     */
    public LocalResult requireSurvivorsSucceeded() {
        AssertionError failure = null;
        for (RankOutcome outcome : outcomes) {
            boolean isFailure = outcome.end() == RankEnd.THREW
                    || outcome.end() == RankEnd.BROKEN
                    || outcome.end() == RankEnd.ABORTED;
            if (isFailure && failure == null) {
                failure = new AssertionError("not all survivors succeeded: " + this, outcome.thrown());
            } else if (isFailure && outcome.thrown() != null) {
                failure.addSuppressed(outcome.thrown());
            }
        }
        if (failure != null) {
            throw failure;
        }
        return this;
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(abortCode == null ? "" : "aborted with " + abortCode + "; ");
        for (int rank = 0; rank < outcomes.size(); rank++) {
            text.append(rank == 0 ? "" : ", ").append(rank).append(' ').append(outcomes.get(rank));
        }
        return text.toString();
    }
}
