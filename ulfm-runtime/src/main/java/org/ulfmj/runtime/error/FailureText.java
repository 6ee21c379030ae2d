package org.ulfmj.runtime.error;

import java.io.Serializable;
import org.ulfmj.detector.Evidence;
import org.ulfmj.protocol.ProcessId;

/**
 * The text that says that a collective operation met a failure. It is made only when it is asked for: all survivors of
 * a death throw at once and want the same cores. The object keeps nothing that could change meanwhile.
 *
 * @param member the failed member as the program knows it: {@code rank 1}
 * @param process the process that failed
 * @param evidence the evidence of the failure; null if there is none
 * @param agoNs how long the failure had been known here when the error was made; 0 without evidence
 */
public record FailureText(
        String what,
        String label,
        int size,
        String member,
        ProcessId process,
        Evidence evidence,
        long agoNs,
        String advice)
        implements Serializable {
    /** In another process only the words count. */
    private Object writeReplace() {
        return toString();
    }

    @Override
    public String toString() {
        return ErrorWords.text(
                what,
                ErrorWords.communicator(label, size),
                ErrorWords.failure(member, process, evidence, agoNs),
                advice);
    }
}
