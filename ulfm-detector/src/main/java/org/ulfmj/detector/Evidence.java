package org.ulfmj.detector;

import org.ulfmj.protocol.ProcessId;

/**
 * Why a process is marked failed.
 *
 * @param kind how sure
 * @param declaredBy who declared it first
 * @param reason in plain words, for error messages: "process 4711 ended by signal 9", "no heartbeat for 5 s"
 */
public record Evidence(Kind kind, ProcessId declaredBy, String reason) {
    /** How sure a failure is. */
    public enum Kind {
        /** The process is proven to have ended: what it had sent is still read before it is marked. */
        CERTAIN,
        /** It is silent; it may be alive, and then it is fenced. */
        SUSPECTED,
        /** An agreement listed it. */
        AGREED
    }
}
