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

    private record Drain(ProcessId process) implements Call {
        @Override
        public void on(Effects effects) {
            effects.drain(process);
        }
    }

    private record Failed(ProcessId process, Evidence evidence) implements Call {
        @Override
        public void on(Effects effects) {
            effects.failed(process, evidence);
        }
    }

    private record Departed(ProcessId process) implements Call {
        @Override
        public void on(Effects effects) {
            effects.departed(process);
        }
    }

    private record Revoked(long communicator) implements Call {
        @Override
        public void on(Effects effects) {
            effects.revoked(communicator);
        }
    }

    private record Decided(long communicator, long sequence, Decision decision) implements Call {
        @Override
        public void on(Effects effects) {
            effects.decided(communicator, sequence, decision);
        }
    }

    private record Fenced(String reason) implements Call {
        @Override
        public void on(Effects effects) {
            effects.fenced(reason);
        }
    }

    private final Effects effects;
    private final Queue<Call> pending = new ArrayDeque<>();

    PendingEffects(Effects effects) {
        this.effects = effects;
    }

    void drain(ProcessId process) {
        pending.add(new Drain(process));
    }

    void failed(ProcessId process, Evidence evidence) {
        pending.add(new Failed(process, evidence));
    }

    void departed(ProcessId process) {
        pending.add(new Departed(process));
    }

    void revoked(long communicator) {
        pending.add(new Revoked(communicator));
    }

    void decided(long communicator, long sequence, Decision decision) {
        pending.add(new Decided(communicator, sequence, decision));
    }

    void fenced(String reason) {
        pending.add(new Fenced(reason));
    }

    /** Calls what is pending, oldest first. A call may begin and end another step; the order stays. */
    void flush() {
        for (Call next = pending.poll(); next != null; next = pending.poll()) {
            next.on(effects);
        }
    }
}
