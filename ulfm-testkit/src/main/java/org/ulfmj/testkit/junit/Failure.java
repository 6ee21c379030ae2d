package org.ulfmj.testkit.junit;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.testkit.RankEnd;
import org.ulfmj.testkit.RankOutcome;

/**
 * Why a run counts as failed.
 *
 * @param kind failures of equal kind count as the same failure when a smaller plan is searched
 * @param headline the failure in one line
 * @param cause the exception of a rank, or null
 */
record Failure(String kind, String headline, Throwable cause) {
    private static final int WIDEST = 400;
    private static final List<String> LIBRARIES = List.of(
            "mpi.",
            "java.",
            "jdk.",
            "org.assertj.",
            "org.junit.",
            "org.opentest4j.",
            "org.ulfmj.agree.",
            "org.ulfmj.runtime.",
            "org.ulfmj.transport.");

    /**
     * Returns the first failure of a run, looked for in this order: a hang, a rank that failed, the job's code, the
     * results. Null if there is none.
     */
    static Failure of(SimulatedRun run, Map<ProcessId, Object> results, SimulationSettings settings) {
        if (run.hang() != null) {
            String headline = run.isCutShort()
                    ? "the run was cut short by a bound of real time: "
                            + run.hang().lines().findFirst().orElse("")
                    : "the program hangs";
            return new Failure("hang", headline, null);
        }
        Failure ofRank = firstOfRanks(run);
        if (ofRank != null) {
            return ofRank;
        }
        if (run.abortCode() != null && !settings.mayAbortWith(run.abortCode())) {
            return new Failure(
                    "abort",
                    "the job was aborted with code " + run.abortCode()
                            + (settings.mayAbortWith().length == 0 ? "" : ", which is not among mayAbortWith"),
                    null);
        }
        return differingResults(run, results);
    }

    boolean isLike(Failure other) {
        return other != null && kind.equals(other.kind);
    }

    private static Failure firstOfRanks(SimulatedRun run) {
        for (SimulatedRun.OneProcess process : run.processes()) {
            RankOutcome outcome = process.outcome();
            ProcessId rank = process.id();
            if (outcome.end() == RankEnd.THREW) {
                Throwable thrown = outcome.thrown();
                return new Failure(place(thrown), "rank " + rank + " threw " + inOneLine(thrown), thrown);
            }
            if (outcome.end() == RankEnd.BROKEN) {
                return new Failure(
                        "broken",
                        "rank " + rank + " met a broken invariant of the library: " + inOneLine(outcome.thrown()),
                        outcome.thrown());
            }
            if (outcome.end() == RankEnd.SILENCED && !run.mayFence()) {
                return new Failure(
                        "silenced",
                        "rank " + rank + " was ended as silent, though nothing in the plan is a reason for a silence: "
                                + outcome.reason(),
                        null);
            }
            if (outcome.end() == RankEnd.FENCED && !run.mayFence()) {
                return new Failure(
                        "fenced",
                        "rank " + rank + " was fenced, though nothing in the plan is a reason to hold it for failed: "
                                + outcome.reason(),
                        null);
            }
        }
        // A return without Finalize is looked for after the other failures of ranks: when one process throws, other
        // processes may return early because of it.
        for (SimulatedRun.OneProcess process : run.processes()) {
            if (process.outcome().end() == RankEnd.RETURNED) {
                return new Failure("returned", "rank " + process.id() + " returned without MPI.Finalize", null);
            }
        }
        return null;
    }

    private static Failure differingResults(SimulatedRun run, Map<ProcessId, Object> results) {
        Map<ProcessId, Object> ofFinalized = new TreeMap<>();
        for (SimulatedRun.OneProcess process : run.processes()) {
            if (process.outcome().end() == RankEnd.FINALIZED && results.containsKey(process.id())) {
                ofFinalized.put(process.id(), results.get(process.id()));
            }
        }
        Map.Entry<ProcessId, Object> first = null;
        for (Map.Entry<ProcessId, Object> entry : ofFinalized.entrySet()) {
            first = first == null ? entry : first;
            if (!Objects.deepEquals(first.getValue(), entry.getValue())) {
                return new Failure(
                        "results",
                        "the results differ: rank " + first.getKey() + " has " + shown(first.getValue()) + ", rank "
                                + entry.getKey() + " has " + shown(entry.getValue()),
                        null);
            }
        }
        return null;
    }

    private static String shown(Object value) {
        // The value is put into an array, because deepToString shows arrays of all types by their content.
        String inList = Arrays.deepToString(new Object[] {value});
        return inList.substring(1, inList.length() - 1);
    }

    /**
     * Returns the exception's class and the topmost stack frame outside {@link #LIBRARIES}, if there is one. The same
     * exception from the same line counts as the same failure, whatever values its message has.
     */
    private static String place(Throwable thrown) {
        StringBuilder text = new StringBuilder(thrown.getClass().getName());
        for (StackTraceElement frame : thrown.getStackTrace()) {
            if (!isOfLibrary(frame.getClassName())) {
                return text.append(" at ").append(frame).toString();
            }
        }
        return text.toString();
    }

    private static boolean isOfLibrary(String className) {
        return LIBRARIES.stream().anyMatch(className::startsWith);
    }

    /**
     * Returns the class and message, cut at 400 characters, in one line, since the message of an assertion has its
     * contents in the second line or the third.
     */
    private static String inOneLine(Throwable thrown) {
        String line = String.valueOf(thrown).strip().replaceAll("\\s+", " ");
        return line.length() <= WIDEST ? line : line.substring(0, WIDEST) + "…";
    }
}
