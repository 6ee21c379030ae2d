package org.ulfmj.testkit.sim;

import java.util.List;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.testkit.RankOutcome;

/**
 * One process of a simulated run, and how it ended.
 *
 * @param id slot and incarnation
 * @param calls how many calls of MPI the process began
 * @param lastCalls with the time of each, the last one last
 * @param sentFrames frames that the process sent, its calls of processes by name, and its stores to shared memory, with
 *     the one before which a planned crash came
 * @param sentBytes of those frames and stores, headers included
 */
public record ProcessResult(
        ProcessId id, RankOutcome outcome, long calls, List<String> lastCalls, long sentFrames, long sentBytes) {}
