package org.ulfmj.detector;

import org.ulfmj.protocol.ProcessId;

/** Messages of the ring detector and of failure notices. */
public interface DetectorMessage {
    /** Emitter to each of its observers, every period. */
    record Heartbeat() implements DetectorMessage {}

    /** Observer to its emitter: beat for me. */
    record Observe() implements DetectorMessage {}

    /** Observer to its former emitter: stop beating for me. */
    record Unobserve() implements DetectorMessage {}

    /** Broadcast: {@code failed} is held for failed. Obeyed by {@code failed} itself. */
    record Obituary(ProcessId failed, Evidence evidence) implements DetectorMessage {}
}
