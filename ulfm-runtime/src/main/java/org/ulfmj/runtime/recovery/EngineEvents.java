package org.ulfmj.runtime.recovery;

import java.util.List;
import org.jctools.queues.varhandle.MpscUnboundedVarHandleArrayQueue;
import org.ulfmj.agree.message.Contact;
import org.ulfmj.agree.message.Joiner;
import org.ulfmj.detector.Evidence;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.runtime.transfer.MessageContext;
import org.ulfmj.transport.MemberRecord;

/**
 * Events that other threads leave for the engine, or the engine itself in the middle of a step. The thread puts an
 * event here and returns; the engine's next poll applies it.
 */
public final class EngineEvents {
    /** Something that happened outside the engine. */
    public interface Event {
        void apply(ControlPlane control);
    }

    public record Death(ProcessId process, Evidence evidence) implements Event {
        @Override
        public void apply(ControlPlane control) {
            control.onEvidence(process, evidence);
        }
    }

    public record Beat(List<ProcessId> complainers, Runnable then) implements Event {
        @Override
        public void apply(ControlPlane control) {
            control.beat(complainers, then);
        }
    }

    public record AtRest(Runnable action) implements Event {
        @Override
        public void apply(ControlPlane control) {
            control.whenAllIsRead(action);
        }
    }

    public record Drained(ProcessId process) implements Event {
        @Override
        public void apply(ControlPlane control) {
            control.onDrained(List.of(process));
        }
    }

    public record Departed(ProcessId process) implements Event {
        @Override
        public void apply(ControlPlane control) {
            control.onDeparted(process);
        }
    }

    public record Pending(Contact newcomer) implements Event {
        @Override
        public void apply(ControlPlane control) {
            control.onPending(newcomer);
        }
    }

    public record Gathered(List<MemberRecord> members) implements Event {
        @Override
        public void apply(ControlPlane control) {
            control.onGathered(members);
        }
    }

    /**
     * The launcher's news that the process with this nonce has ended.
     *
     * @param evidence null if the process had finalized
     */
    public record Ended(long nonce, Evidence evidence) implements Event {
        @Override
        public void apply(ControlPlane control) {
            control.onEnd(nonce, evidence);
        }
    }

    public record Waiting(Joiner joiner) implements Event {
        @Override
        public void apply(ControlPlane control) {
            control.onWaiting(joiner);
        }
    }

    public record NotMe(ProcessId name, long nonce) implements Event {
        @Override
        public void apply(ControlPlane control) {
            control.onNotMe(name, nonce);
        }
    }

    public record NoMore(int slot, String why) implements Event {
        @Override
        public void apply(ControlPlane control) {
            control.onNoMore(slot, why);
        }
    }

    public record NoMoreReplacements(String why) implements Event {
        @Override
        public void apply(ControlPlane control) {
            control.onNoMoreReplacements(why);
        }
    }

    public record GoneOnWithout(String why) implements Event {
        @Override
        public void apply(ControlPlane control) {
            control.onGoneOnWithout(why);
        }
    }

    public record Fence(String reason) implements Event {
        @Override
        public void apply(ControlPlane control) {
            control.onFence(reason);
        }
    }

    /**
     * The event that this communicator is to be revoked because of another communicator or of a failure; the revocation
     * tells all its members.
     */
    public record Orphaned(MessageContext communicator) implements Event {
        @Override
        public void apply(ControlPlane control) {
            control.revokeIfKept(communicator);
        }
    }

    private static final int CHUNK = 16;

    private final MpscUnboundedVarHandleArrayQueue<Event> queue = new MpscUnboundedVarHandleArrayQueue<>(CHUNK);

    /** Any thread. */
    public void post(Event event) {
        queue.offer(event);
    }

    public boolean isEmpty() {
        return queue.isEmpty();
    }

    /** Under the engine lock. */
    public int apply(ControlPlane control) {
        int count = 0;
        for (Event event = queue.poll(); event != null; event = queue.poll()) {
            event.apply(control);
            count++;
        }
        return count;
    }
}
