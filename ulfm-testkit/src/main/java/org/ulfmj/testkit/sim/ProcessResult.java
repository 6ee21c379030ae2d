package org.ulfmj.testkit.sim;

import java.util.List;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.testkit.RankOutcome;

/**
 * What became of one process of a simulated run.
 *
 * @param id its rank, and which process of that rank it was
 * @param calls of MPI
 * @param lastCalls with the time of each, the last one last
 * @param sentFrames frames that it sent, and stores to shared memory
 * @param sentBytes of them, headers too
 */
public record ProcessResult(
        ProcessId id, RankOutcome outcome, long calls, List<String> lastCalls, long sentFrames, long sentBytes) {}
