package org.ulfmj.agree;

import java.util.ArrayDeque;
import java.util.Queue;
import org.ulfmj.agree.change.ChangeOutcome;
import org.ulfmj.agree.message.Admission;
import org.ulfmj.agree.message.Decision;
import org.ulfmj.detector.Evidence;
import org.ulfmj.protocol.ProcessId;

/** Effects of the step that is running, kept until its messages are sent. */
final class PendingEffects {
    private interface Call {
        void on(Effects effects);
    }

    private record Silent(ProcessId process) implements Call {
        @Override
        public void on(Effects effects) {
            effects.silent(process);
        }
    }

    private record Heard(ProcessId process) implements Call {
        @Override
        public void on(Effects effects) {
            effects.heard(process);
        }
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

    private record Forgotten(long communicator) implements Call {
        @Override
        public void on(Effects effects) {
            effects.forgotten(communicator);
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

    private record ChangeEnded(long communicator, ChangeOutcome outcome) implements Call {
        @Override
        public void on(Effects effects) {
            effects.changeEnded(communicator, outcome);
        }
    }

    private record Welcomed(Admission admission) implements Call {
        @Override
        public void on(Effects effects) {
            effects.welcomed(admission);
        }
    }

    private record GoneOnWithout(String why) implements Call {
        @Override
        public void on(Effects effects) {
            effects.goneOnWithout(why);
        }
    }

    private final Effects effects;
    private final Queue<Call> pending = new ArrayDeque<>();
    private boolean over;

    PendingEffects(Effects effects) {
        this.effects = effects;
    }

    void silent(ProcessId process) {
        add(new Silent(process));
    }

    void heard(ProcessId process) {
        add(new Heard(process));
    }

    void drain(ProcessId process) {
        add(new Drain(process));
    }

    void failed(ProcessId process, Evidence evidence) {
        add(new Failed(process, evidence));
    }

    void departed(ProcessId process) {
        add(new Departed(process));
    }

    void forgotten(long communicator) {
        add(new Forgotten(communicator));
    }

    void revoked(long communicator) {
        add(new Revoked(communicator));
    }

    void decided(long communicator, long sequence, Decision decision) {
        add(new Decided(communicator, sequence, decision));
    }

    void changeEnded(long communicator, ChangeOutcome outcome) {
        add(new ChangeEnded(communicator, outcome));
    }

    void welcomed(Admission admission) {
        add(new Welcomed(admission));
    }

    void goneOnWithout(String why) {
        add(new GoneOnWithout(why));
        over = true;
    }

    void fenced(String reason) {
        add(new Fenced(reason));
        over = true;
    }

    /**
     * Adds an effect, unless this process has ended. The driver is not told what the same step still does after the
     * end.
     */
    private void add(Call call) {
        if (!over) {
            pending.add(call);
        }
    }

    /** Calls what is pending, oldest first. A call may begin and end another step; the order stays. */
    void flush() {
        for (Call next = pending.poll(); next != null; next = pending.poll()) {
            next.on(effects);
        }
    }
}
