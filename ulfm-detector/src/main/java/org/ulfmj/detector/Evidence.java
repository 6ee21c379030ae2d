package org.ulfmj.detector;

import org.ulfmj.protocol.ProcessId;

/**
 * Why a process is marked failed.
 *
 * @param kind how sure the failure is
 * @param declaredBy the process that declared the failure first
 * @param reason plain words for error messages: "process 4711 ended by signal 9", "no heartbeat for 5 s"
 */
public record Evidence(Kind kind, ProcessId declaredBy, String reason) {
    /** How sure it is that a process has failed. */
    public enum Kind {
        /** The process is proven to have ended: what it had sent is still read before it is marked. */
        CERTAIN,
        /** The process is silent. It may be alive, and is then fenced. */
        SUSPECTED,
        /** An agreement listed the process as failed. */
        AGREED
    }
}
