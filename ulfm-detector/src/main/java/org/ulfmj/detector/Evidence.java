package org.ulfmj.detector;

import org.ulfmj.protocol.ProcessId;

/**
 * Why a process is marked failed.
 *
 * @param kind how sure the failure is
 * @param declaredBy the process from which the evidence comes
 * @param reason plain words for error messages: "process 4711 ended by signal 9", "no heartbeat for 5 s"
 */
public record Evidence(Kind kind, ProcessId declaredBy, String reason) {
    /** How sure it is that a process has failed. */
    public enum Kind {
        /**
         * The process is proven to have ended: what it had sent is still read before it is marked, unless other
         * evidence marks it meanwhile.
         */
        CERTAIN,
        /**
         * The process is, for example, silent or out of reach, which is no proof. It may be alive; then it ends itself
         * when it learns that it is marked failed.
         */
        SUSPECTED,
        /** Others have decided that the process counts as failed: an agreement has listed it, for example. */
        AGREED
    }
}
