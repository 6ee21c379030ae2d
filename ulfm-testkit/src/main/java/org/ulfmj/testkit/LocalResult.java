package org.ulfmj.testkit;

import java.util.ArrayList;
import java.util.List;
import org.ulfmj.protocol.ProcessId;

/**
 * How a program whose ranks are threads has ended. A rank whose process died may have been given to another process,
 * more than once. Each process has an outcome, and the outcome of the last one is the rank's. Immutable.
 */
public final class LocalResult {
    /** Outcomes by rank, then by incarnation. */
    private final List<List<RankOutcome>> outcomes;

    private final Integer abortCode;

    private LocalResult(List<List<RankOutcome>> outcomes, Integer abortCode) {
        this.outcomes = outcomes.stream().map(List::copyOf).toList();
        this.abortCode = abortCode;
    }

    /**
     * Made by the worlds of this library.
     *
     * @param outcomes of each rank's processes, one after another
     * @param abortCode null if the job was not aborted
     */
    public static LocalResult of(List<List<RankOutcome>> outcomes, Integer abortCode) {
        return new LocalResult(outcomes, abortCode);
    }

    public int size() {
        return outcomes.size();
    }

    /** Returns the outcome of the rank's last process. */
    public RankOutcome outcome(int rank) {
        return outcome(rank, incarnations(rank) - 1);
    }

    /**
     * Returns the outcome of one process of a rank.
     *
     * @param incarnation 0 for the rank's first process
     */
    public RankOutcome outcome(int rank, int incarnation) {
        return outcomes.get(rank).get(incarnation);
    }

    /** Returns how many processes the rank had, one after another; 1 also for a rank that no process has taken. */
    public int incarnations(int rank) {
        return outcomes.get(rank).size();
    }

    /** Returns how the rank's last process ended. */
    public RankEnd end(int rank) {
        return outcome(rank).end();
    }

    /** Returns the ranks whose last process ended in this way, ascending. */
    public List<Integer> ranks(RankEnd end) {
        List<Integer> ranks = new ArrayList<>();
        for (int rank = 0; rank < outcomes.size(); rank++) {
            if (end(rank) == end) {
                ranks.add(rank);
            }
        }
        return ranks;
    }

    /**
     * Returns all processes that ended in this way: by rank, then in the order in which they were started. For
     * {@link RankEnd#NOT_ADMITTED} that includes incarnation 0 of each rank that no process has taken.
     */
    public List<ProcessId> processes(RankEnd end) {
        List<ProcessId> processes = new ArrayList<>();
        for (int rank = 0; rank < outcomes.size(); rank++) {
            for (int incarnation = 0; incarnation < incarnations(rank); incarnation++) {
                if (outcome(rank, incarnation).end() == end) {
                    processes.add(new ProcessId(rank, incarnation));
                }
            }
        }
        return processes;
    }

    public boolean isAborted() {
        return abortCode != null;
    }

    /** Returns the code with which the job was aborted; throws if the job was not aborted. */
    public int abortCode() {
        if (abortCode == null) {
            throw new IllegalStateException("the job was not aborted: " + this);
        }
        return abortCode;
    }

    /**
     * Requires that every process came through Finalize, or at least returned. Processes that were killed, preempted,
     * fenced or silenced, and newcomers that were not admitted, do not count.
     *
     * @return this
     * @throws AssertionError if a process threw, broke an invariant or was ended by an abort, with the exception of the
     *     first such process, if it has one, as its cause, and those of the others as suppressed
     */
    public LocalResult requireSurvivorsSucceeded() {
        AssertionError failure = null;
        for (List<RankOutcome> ofRank : outcomes) {
            for (RankOutcome outcome : ofRank) {
                boolean isFailure = outcome.end() == RankEnd.THREW
                        || outcome.end() == RankEnd.BROKEN
                        || outcome.end() == RankEnd.ABORTED;
                if (isFailure && failure == null) {
                    failure = new AssertionError("not all survivors succeeded: " + this, outcome.thrown());
                } else if (isFailure && outcome.thrown() != null) {
                    failure.addSuppressed(outcome.thrown());
                }
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
        String separator = "";
        for (int rank = 0; rank < outcomes.size(); rank++) {
            for (int incarnation = 0; incarnation < incarnations(rank); incarnation++) {
                text.append(separator)
                        .append(new ProcessId(rank, incarnation))
                        .append(' ')
                        .append(outcome(rank, incarnation));
                separator = ", ";
            }
        }
        return text.toString();
    }
}
