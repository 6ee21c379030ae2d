package org.ulfmj.agree;

import java.util.ArrayDeque;
import java.util.Queue;
import org.ulfmj.detector.Evidence;
import org.ulfmj.protocol.ProcessId;

/** Effects of the step that is running, kept until its messages are sent. */
final class PendingEffects {
    private interface Call {
        void on(Effects effects);
    }

    private final Effects effects;
    private final Queue<Call> pending = new ArrayDeque<>();

    PendingEffects(Effects effects) {
        this.effects = effects;
    }

    void drain(ProcessId process) {
        pending.add(to -> to.drain(process));
    }

    void failed(ProcessId process, Evidence evidence) {
        pending.add(to -> to.failed(process, evidence));
    }

    void departed(ProcessId process) {
        pending.add(to -> to.departed(process));
    }

    void revoked(long communicator) {
        pending.add(to -> to.revoked(communicator));
    }

    void decided(long communicator, long sequence, Decision decision) {
        pending.add(to -> to.decided(communicator, sequence, decision));
    }

    void fenced(String reason) {
        pending.add(to -> to.fenced(reason));
    }

    /** Calls what is pending, oldest first. A call may begin and end another step; the order stays. */
    void flush() {
        for (Call next = pending.poll(); next != null; next = pending.poll()) {
            next.on(effects);
        }
    }
}
