package org.ulfmj.runtime.error;

import org.ulfmj.detector.Evidence;
import org.ulfmj.protocol.ProcessId;

/**
 * The parts that messages of errors share: how they name a communicator, how they say that a member has failed, and how
 * they join operation, communicator, cause and advice. The words for other causes come from the callers.
 */
public final class ErrorWords {
    private ErrorWords() {}

    /** {@code COMM_WORLD (4 ranks)}. */
    public static String communicator(String label, int size) {
        return label + " (" + size + (size == 1 ? " rank)" : " ranks)");
    }

    /** @param member the failed member as the program knows it: {@code rank 1} */
    public static String failure(String member, ProcessId process, Evidence evidence, long agoNs) {
        if (evidence == null) {
            return member + " (process " + process + ") has failed";
        }
        return member + " (process " + process + ") has failed: declared by process " + evidence.declaredBy() + ", "
                + evidence.reason() + ", " + agoNs / 1_000_000 + " ms ago";
    }

    public static String text(String what, String communicator, String why, String advice) {
        return what + " on " + communicator + ": " + why + "." + (advice.isEmpty() ? "" : " " + advice + ".");
    }
}
