package org.ulfmj.testkit.junit;

import java.util.List;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.testkit.RankOutcome;

/**
 * One run of a program in simulated time.
 *
 * @param faults the plan in which every choice is made: no rule has a set of ranks
 * @param processes in the order in which they were started: incarnations 0 by rank, then those that replaced dead ones
 * @param abortCode null if the job was not aborted
 * @param logHash of all events, in order: equal runs have equal hashes; {@link #CUT_SHORT} if there is none
 * @param hang why the program did not end, and which rank waits for which; null if it did end
 * @param mayFence whether the run had a reason for which live ranks may have been marked failed
 */
record SimulatedRun(
        List<String> faults,
        List<OneProcess> processes,
        Integer abortCode,
        String logHash,
        String hang,
        boolean mayFence) {
    /**
     * One process of the run.
     *
     * @param outcome null if the process has not ended
     * @param lastOperations the last calls of the process, in their order
     */
    record OneProcess(ProcessId id, RankOutcome outcome, List<String> lastOperations) {}

    /** The text in the place of a hash if a bound of real time ended the run: the point where it ended is chance. */
    static final String CUT_SHORT = "cut short";

    boolean isCutShort() {
        return logHash.equals(CUT_SHORT);
    }

    /** Whether the two runs differ. False if one of them was cut short, since it is unknown then. */
    boolean differsFrom(SimulatedRun other) {
        return !isCutShort() && !other.isCutShort() && !logHash.equals(other.logHash);
    }
}
