package org.ulfmj.runtime;

import java.util.List;
import org.jctools.queues.varhandle.MpscUnboundedVarHandleArrayQueue;
import org.ulfmj.agree.message.Contact;
import org.ulfmj.detector.Evidence;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.transport.MemberRecord;

/** What other threads tell the engine: they leave it here and return; the next poll takes it out. */
final class EngineEvents {
    /** Something that happened outside. */
    interface Event {
        void apply(ControlPlane control);
    }

    record Death(ProcessId process, Evidence evidence) implements Event {
        @Override
        public void apply(ControlPlane control) {
            control.onEvidence(process, evidence);
        }
    }

    record Beat(List<ProcessId> complainers, Runnable then) implements Event {
        @Override
        public void apply(ControlPlane control) {
            control.beat(complainers, then);
        }
    }

    record AtRest(Runnable action) implements Event {
        @Override
        public void apply(ControlPlane control) {
            control.whenAllIsRead(action);
        }
    }

    record Drained(ProcessId process) implements Event {
        @Override
        public void apply(ControlPlane control) {
            control.onDrained(List.of(process));
        }
    }

    record Departed(ProcessId process) implements Event {
        @Override
        public void apply(ControlPlane control) {
            control.onDeparted(process);
        }
    }

    record Pending(Contact newcomer) implements Event {
        @Override
        public void apply(ControlPlane control) {
            control.onPending(newcomer);
        }
    }

    record Gathered(List<MemberRecord> members) implements Event {
        @Override
        public void apply(ControlPlane control) {
            control.onGathered(members);
        }
    }

    record NoMore(int slot, String why) implements Event {
        @Override
        public void apply(ControlPlane control) {
            control.onNoMore(slot, why);
        }
    }

    record NobodyMore(String why) implements Event {
        @Override
        public void apply(ControlPlane control) {
            control.onNobodyMore(why);
        }
    }

    record GoneOnWithout(String why) implements Event {
        @Override
        public void apply(ControlPlane control) {
            control.goneOnWithout(why);
        }
    }

    record Fence(String reason) implements Event {
        @Override
        public void apply(ControlPlane control) {
            control.onFence(reason);
        }
    }

    /** What the communicator was made from is revoked. */
    record Orphaned(CommunicatorState communicator) implements Event {
        @Override
        public void apply(ControlPlane control) {
            control.revokeIfKept(communicator);
        }
    }

    private static final int CHUNK = 16;

    private final MpscUnboundedVarHandleArrayQueue<Event> queue = new MpscUnboundedVarHandleArrayQueue<>(CHUNK);

    /** Any thread. */
    void post(Event event) {
        queue.offer(event);
    }

    boolean isEmpty() {
        return queue.isEmpty();
    }

    /** Under the engine lock. */
    int apply(ControlPlane control) {
        int count = 0;
        for (Event event = queue.poll(); event != null; event = queue.poll()) {
            event.apply(control);
            count++;
        }
        return count;
    }
}
