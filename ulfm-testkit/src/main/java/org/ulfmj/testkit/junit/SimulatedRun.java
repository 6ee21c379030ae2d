package org.ulfmj.testkit.junit;

import java.util.List;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.testkit.RankOutcome;

/**
 * How one run of a program in simulated time went.
 *
 * @param faults the plan with nothing left open: rules of one rank each
 * @param processes in the order in which they were started: the first ones by rank, then those that replaced dead ones
 * @param abortCode null if the job was not aborted
 * @param logHash of everything that happened, in order: equal runs have equal hashes; {@link #CUT_SHORT} if there is
 *     none
 * @param hang why the program did not end and who waits for whom; null if it did end
 * @param mayFence whether there was a reason to have marked ranks failed that live
 */
record SimulatedRun(
        List<String> faults,
        List<OneProcess> processes,
        Integer abortCode,
        String logHash,
        String hang,
        boolean mayFence) {
    /**
     * What became of one process.
     *
     * @param outcome null if it has not ended
     * @param lastOperations the last calls it made, in their order
     */
    record OneProcess(ProcessId id, RankOutcome outcome, List<String> lastOperations) {}

    /** In the place of a hash: a bound of real time ended the run, and where it did is chance. */
    static final String CUT_SHORT = "cut short";

    boolean isCutShort() {
        return logHash.equals(CUT_SHORT);
    }

    /** Whether something else happened; unknown, and so false, of runs that were cut short. */
    boolean differsFrom(SimulatedRun other) {
        return !isCutShort() && !other.isCutShort() && !logHash.equals(other.logHash);
    }
}
