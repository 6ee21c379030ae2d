package org.ulfmj.runtime;

import org.ulfmj.runtime.collective.CollectiveBuffer;
import org.ulfmj.runtime.collective.CollectiveSchedule;
import org.ulfmj.runtime.collective.Neighborhood;
import org.ulfmj.runtime.collective.ScheduleRun;
import org.ulfmj.runtime.error.ErrorClass;
import org.ulfmj.runtime.error.ThrownByProgram;
import org.ulfmj.runtime.reduction.Reduction;

/**
 * Collective operations of one communicator that do not wait: each method begins one and returns at once. The operation
 * goes by messages, always: so which way it goes depends on nothing that differs between members.
 *
 * <p>An operation takes its number on the communicator when it begins, as a blocking one does: all members must begin
 * their operations, of both kinds, in the same order. Any number of them may be under way, and they end in any order. A
 * failure or a revocation is never raised here but by the call that completes the request. What the program's buffers
 * hold is copied before the method returns unless it lies in a direct {@link java.nio.ByteBuffer}, and written to them
 * before the operation ends.
 *
 * <p>{@code call} is the name of the operation as the program wrote it.
 */
public final class StartedCollectives {
    /**
     * The shortest operation for which the progress thread is woken when it begins, in bytes that this rank sends and
     * receives. The progress thread finds shorter ones after its nap.
     */
    private static final int LONG_BYTES = 64 * 1024;

    private final RankEngine engine;
    private final CommunicatorState state;

    StartedCollectives(RankEngine engine, CommunicatorState state) {
        this.engine = engine;
        this.state = state;
    }

    public CollectiveCall barrier(String call) {
        return start(call, PackedCollective.barrier(), null, null);
    }

    public CollectiveCall broadcast(String call, CollectiveBuffer data, int root) {
        return start(call, PackedCollective.broadcast(state, data, root), data, null);
    }

    /** As {@link Communicator#gather}. */
    public CollectiveCall gather(String call, CollectiveBuffer send, CollectiveBuffer receive, int root) {
        return start(call, PackedCollective.gather(state, send, receive, root), send, receive);
    }

    /** As {@link Communicator#scatter}. */
    public CollectiveCall scatter(String call, CollectiveBuffer send, CollectiveBuffer receive, int root) {
        return start(call, PackedCollective.scatter(state, send, receive, root), send, receive);
    }

    /** As {@link Communicator#allGather}. */
    public CollectiveCall allGather(String call, CollectiveBuffer send, CollectiveBuffer receive) {
        return start(call, PackedCollective.allGather(state, send, receive), send, receive);
    }

    /** As {@link Communicator#allToAll}. */
    public CollectiveCall allToAll(String call, CollectiveBuffer send, CollectiveBuffer receive) {
        return start(call, PackedCollective.allToAll(state, send, receive), send, receive);
    }

    /** As {@link Communicator#neighbors}. */
    public CollectiveCall neighbors(
            String call, Neighborhood neighbors, CollectiveBuffer send, CollectiveBuffer receive) {
        return start(call, PackedCollective.neighbors(call, neighbors, send, receive), send, receive);
    }

    /** As {@link Communicator#reduce}. */
    public CollectiveCall reduce(
            String call,
            CollectiveBuffer send,
            CollectiveBuffer receive,
            int elementBytes,
            Reduction reduction,
            int root) {
        return start(call, PackedCollective.reduce(state, send, receive, elementBytes, reduction, root), send, receive);
    }

    /** As {@link Communicator#allReduce}. */
    public CollectiveCall allReduce(
            String call, CollectiveBuffer send, CollectiveBuffer receive, int elementBytes, Reduction reduction) {
        return start(call, PackedCollective.allReduce(state, send, receive, elementBytes, reduction), send, receive);
    }

    /** As {@link Communicator#scan}. */
    public CollectiveCall scan(
            String call, CollectiveBuffer send, CollectiveBuffer receive, int elementBytes, Reduction reduction) {
        return start(call, PackedCollective.scan(send, receive, elementBytes, reduction), send, receive);
    }

    /** As {@link Communicator#exclusiveScan}. */
    public CollectiveCall exclusiveScan(
            String call, CollectiveBuffer send, CollectiveBuffer receive, int elementBytes, Reduction reduction) {
        return start(
                call, PackedCollective.exclusiveScan(state, send, receive, elementBytes, reduction), send, receive);
    }

    /** As {@link Communicator#reduceScatter}. */
    public CollectiveCall reduceScatter(
            String call, CollectiveBuffer send, CollectiveBuffer receive, int elementBytes, Reduction reduction) {
        return start(
                call, PackedCollective.reduceScatter(state, send, receive, elementBytes, reduction), send, receive);
    }

    /** @param send let go when the operation has succeeded, as {@code receive} is; both may be null or the same */
    private CollectiveCall start(
            String name, PackedCollective packed, CollectiveBuffer send, CollectiveBuffer receive) {
        CollectiveSchedule schedule = packed.schedule();
        schedule.deliverTo(packed.result());
        schedule.prepare(state.rank(), state.members().size());
        engine.enter(state, name);
        boolean isBegun = false;
        CollectiveCall call = null;
        UniformOutcomes.Outcome outcome = null;
        try {
            UniformOutcomes uniform = state.uniformCollectives();
            outcome = uniform == null ? null : uniform.begin(name);
            call = new CollectiveCall(state, name);
            call.beOfMembers();
            call.begin(engine.runs(), schedule, listener(call, outcome, send, receive));
            if (!call.isDone() && schedule.messageBytes() >= LONG_BYTES) {
                engine.progress().onLongStart();
            }
            isBegun = true;
            return call;
        } finally {
            if (!isBegun) {
                giveUp(call, outcome);
            }
            engine.leave();
        }
    }

    /** An error that is no {@link org.ulfmj.runtime.error.CallError} has kept an operation from beginning here. */
    private void giveUp(CollectiveCall call, UniformOutcomes.Outcome outcome) {
        // That ends the call if its operation has come as far as to be under way.
        engine.byMessages().leaveInTheMiddle(state);
        boolean isUnderWay = outcome == null ? call == null || call.isDone() : outcome.hasEnded();
        if (!isUnderWay && !engine.isOver()) {
            if (outcome != null) {
                outcome.end(ErrorClass.OTHER, null);
            }
            if (call != null) {
                call.end(ErrorClass.OTHER);
            }
        }
    }

    /** @param outcome at all members; null unless they are to end alike */
    private static ScheduleRun.Listener listener(
            CollectiveCall call, UniformOutcomes.Outcome outcome, CollectiveBuffer send, CollectiveBuffer receive) {
        if (outcome == null) {
            return (error, thrown) -> end(call, error, thrown, send, receive);
        }
        return (error, thrown) -> {
            call.progress(outcome);
            outcome.end(error, (common, elsewhere) -> {
                if (elsewhere != null && thrown == null) {
                    call.end(elsewhere);
                } else {
                    end(call, error, thrown, send, receive);
                }
            });
        };
    }

    private static void end(
            CollectiveCall call, ErrorClass error, Throwable thrown, CollectiveBuffer send, CollectiveBuffer receive) {
        if (error == ErrorClass.SUCCESS) {
            release(send);
            release(receive);
            call.succeed(null);
        } else if (thrown != null) {
            call.end(new ThrownByProgram(call.describe() + " on " + call.state(), thrown));
        } else {
            call.end(error);
        }
    }

    private static void release(CollectiveBuffer buffer) {
        if (buffer != null) {
            buffer.release();
        }
    }
}
