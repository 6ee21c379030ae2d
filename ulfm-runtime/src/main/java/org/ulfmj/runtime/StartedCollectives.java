package org.ulfmj.runtime;

import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.ulfmj.runtime.collective.CollectiveBuffer;
import org.ulfmj.runtime.collective.CollectiveSchedule;
import org.ulfmj.runtime.collective.Neighborhood;
import org.ulfmj.runtime.collective.choice.PackedCollective;
import org.ulfmj.runtime.collective.run.ScheduleRun;
import org.ulfmj.runtime.error.CallError;
import org.ulfmj.runtime.error.ErrorClass;
import org.ulfmj.runtime.error.ThrownByProgram;
import org.ulfmj.runtime.host.HostArguments;
import org.ulfmj.runtime.host.HostRuns;
import org.ulfmj.runtime.host.WindowOffer;
import org.ulfmj.runtime.recovery.UniformOutcomes;
import org.ulfmj.runtime.reduction.Reduction;
import org.ulfmj.runtime.waits.NamedWait;

/**
 * Collective operations of one communicator that do not wait: each method begins one and returns at once. Some go
 * through memory that the members share ({@link HostRuns}), the others by messages. Which way an operation goes depends
 * on its kind, its length and the calls before it, and on nothing that differs between members.
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
        return start(call, () -> HostArguments.barrier(call), () -> PackedCollective.barrier(state), null, null);
    }

    public CollectiveCall broadcast(String call, CollectiveBuffer data, int root) {
        return start(
                call,
                () -> HostArguments.broadcast(call, data.payload(), state.rank() == root, root),
                () -> PackedCollective.broadcast(state, data, root),
                data,
                null);
    }

    /** As {@link BlockingCollectives#gather}. */
    public CollectiveCall gather(
            String call, CollectiveBuffer send, CollectiveBuffer receive, boolean areEqual, int root) {
        return start(call, PackedCollective.gather(state, send, receive, areEqual, root), send, receive);
    }

    /** As {@link BlockingCollectives#scatter}. */
    public CollectiveCall scatter(String call, CollectiveBuffer send, CollectiveBuffer receive, int root) {
        return start(call, PackedCollective.scatter(state, send, receive, root), send, receive);
    }

    /** As {@link BlockingCollectives#allGather}. */
    public CollectiveCall allGather(String call, CollectiveBuffer send, CollectiveBuffer receive) {
        return start(
                call,
                () -> HostArguments.allGather(call, send == null ? null : send.payload(), receive.payload()),
                () -> PackedCollective.allGather(state, send, receive),
                send,
                receive);
    }

    /** As {@link BlockingCollectives#allToAll}. */
    public CollectiveCall allToAll(String call, CollectiveBuffer send, CollectiveBuffer receive) {
        return start(
                call,
                () -> HostArguments.allToAll(call, send.payload(), receive.payload()),
                () -> PackedCollective.allToAll(state, send, receive),
                send,
                receive);
    }

    /** As {@link BlockingCollectives#neighbors}. */
    public CollectiveCall neighbors(
            String call, Neighborhood neighbors, CollectiveBuffer send, CollectiveBuffer receive) {
        return start(call, PackedCollective.neighbors(call, neighbors, send, receive), send, receive);
    }

    /** As {@link BlockingCollectives#reduce}. */
    public CollectiveCall reduce(
            String call,
            CollectiveBuffer send,
            CollectiveBuffer receive,
            int elementBytes,
            Reduction reduction,
            int root) {
        return start(
                call,
                () -> HostArguments.reduce(
                        call,
                        send.payload(),
                        receive == null ? null : receive.payload(),
                        elementBytes,
                        reduction,
                        root),
                () -> PackedCollective.reduce(state, send, receive, elementBytes, reduction, root),
                send,
                receive);
    }

    /** As {@link BlockingCollectives#allReduce}. */
    public CollectiveCall allReduce(
            String call, CollectiveBuffer send, CollectiveBuffer receive, int elementBytes, Reduction reduction) {
        return start(
                call,
                () -> HostArguments.allReduce(call, send.payload(), receive.payload(), elementBytes, reduction),
                () -> PackedCollective.allReduce(state, send, receive, elementBytes, reduction),
                send,
                receive);
    }

    /** As {@link BlockingCollectives#scan}. */
    public CollectiveCall scan(
            String call, CollectiveBuffer send, CollectiveBuffer receive, int elementBytes, Reduction reduction) {
        return start(call, PackedCollective.scan(send, receive, elementBytes, reduction), send, receive);
    }

    /** As {@link BlockingCollectives#exclusiveScan}. */
    public CollectiveCall exclusiveScan(
            String call, CollectiveBuffer send, CollectiveBuffer receive, int elementBytes, Reduction reduction) {
        return start(
                call, PackedCollective.exclusiveScan(state, send, receive, elementBytes, reduction), send, receive);
    }

    /** As {@link BlockingCollectives#reduceScatter}. */
    public CollectiveCall reduceScatter(
            String call, CollectiveBuffer send, CollectiveBuffer receive, int elementBytes, Reduction reduction) {
        return start(
                call, PackedCollective.reduceScatter(state, send, receive, elementBytes, reduction), send, receive);
    }

    /**
     * Begins an operation through shared memory if it goes that way, else by messages.
     *
     * @param inMemory describes the operation for shared memory; gives null if it always goes by messages. Not asked
     *     between two groups
     * @param byMessages packs the operation for messages, without the engine lock
     * @param send let go when the operation has succeeded, as {@code receive} is; both may be null or the same
     */
    private CollectiveCall start(
            String name,
            Supplier<HostArguments> inMemory,
            Supplier<PackedCollective> byMessages,
            CollectiveBuffer send,
            CollectiveBuffer receive) {
        HostArguments arguments = state.isInter() ? null : inMemory.get();
        if (arguments == null) {
            return start(name, byMessages.get(), send, receive);
        }
        boolean wantsOffer;
        engine.enter(state, name);
        try {
            if (engine.inMemory().isNextInMemory(state.hostShare, arguments)) {
                return begin(arguments, null, null, send, receive);
            }
            wantsOffer = engine.inMemory().isOfferWanted(state.hostShare, arguments);
        } finally {
            engine.leave();
        }
        CollectiveSchedule schedule = prepare(byMessages.get());
        WindowOffer offer = wantsOffer ? engine.inMemory().makeOffer(state.hostShare, arguments) : null;
        boolean isBegun = false;
        try {
            engine.enter(state, name);
            try {
                CollectiveCall call = begin(arguments, schedule, offer, send, receive);
                isBegun = true;
                return call;
            } finally {
                engine.leave();
            }
        } finally {
            if (!isBegun && offer != null) {
                giveBack(offer);
            }
        }
    }

    private void giveBack(WindowOffer offer) {
        engine.lock().lock();
        try {
            engine.inMemory().giveBack(offer);
        } finally {
            engine.lock().unlock();
        }
    }

    private CollectiveCall start(
            String name, PackedCollective packed, CollectiveBuffer send, CollectiveBuffer receive) {
        CollectiveSchedule schedule = prepare(packed);
        engine.enter(state, name);
        try {
            return begin(name, send, receive, (call, listener) -> beginByMessages(call, schedule, listener));
        } finally {
            engine.leave();
        }
    }

    private CollectiveSchedule prepare(PackedCollective packed) {
        CollectiveSchedule schedule = packed.schedule();
        schedule.deliverTo(packed.result());
        schedule.prepare(state.rank(), state.members().size());
        return schedule;
    }

    /** @param schedule null if the operation goes through shared memory */
    private CollectiveCall begin(
            HostArguments arguments,
            CollectiveSchedule schedule,
            WindowOffer offer,
            CollectiveBuffer send,
            CollectiveBuffer receive) {
        return begin(arguments.name(), send, receive, (call, listener) -> {
            NamedWait run = engine.inMemory().start(state.hostShare, arguments, schedule, offer, listener);
            if (run == null) {
                beginByMessages(call, schedule, listener);
            } else if (!call.isDone()) {
                call.progress(run);
                if (engine.hasStep(false)) {
                    // This thread has the program's data at hand.
                    engine.runStep(false);
                }
                if (!call.isDone() && arguments.isLong()) {
                    engine.progress().onLongBegun();
                }
            }
        });
    }

    private void beginByMessages(CollectiveCall call, CollectiveSchedule schedule, ScheduleRun.Listener listener) {
        CallError mismatch = engine.inMemory().mismatch(state.hostShare, call.describe());
        if (mismatch != null) {
            state.beginCollective();
            schedule.discard();
            listener.onEnd(ErrorClass.TRUNCATE, mismatch);
            return;
        }
        call.begin(engine.runs(), schedule, listener);
        if (!call.isDone() && schedule.messageBytes() >= LONG_BYTES) {
            engine.progress().onLongStart();
        }
    }

    private CollectiveCall begin(
            String name,
            CollectiveBuffer send,
            CollectiveBuffer receive,
            BiConsumer<CollectiveCall, ScheduleRun.Listener> beginning) {
        boolean isBegun = false;
        CollectiveCall call = null;
        UniformOutcomes.Outcome outcome = null;
        try {
            UniformOutcomes uniform = state.uniformCollectives();
            outcome = uniform == null ? null : uniform.begin(name);
            call = new CollectiveCall(state, name);
            call.beOfMembers();
            beginning.accept(call, listener(call, outcome, send, receive));
            isBegun = true;
            return call;
        } finally {
            if (!isBegun) {
                giveUp(call, outcome);
            }
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
    private ScheduleRun.Listener listener(
            CollectiveCall call, UniformOutcomes.Outcome outcome, CollectiveBuffer send, CollectiveBuffer receive) {
        if (outcome == null) {
            return (error, thrown) -> {
                end(call, error, thrown, send, receive);
                revokeIfDivided(error);
            };
        }
        return (error, thrown) -> {
            call.progress(outcome);
            outcome.end(error, (common, elsewhere) -> {
                if (elsewhere != null && thrown == null) {
                    call.end(elsewhere);
                } else {
                    end(call, error, thrown, send, receive);
                }
                revokeIfDivided(common);
            });
        };
    }

    /**
     * Revokes the communicator if ranks have called with different arguments. Which way a later call goes depends on
     * the calls before, so their ways could part, and wait for each other for ever; and a rank that the error has kept
     * from sending its part may be awaited now. A rank meets the error in the middle of a step of the protocols, which
     * must end before another begins.
     */
    private void revokeIfDivided(ErrorClass error) {
        if (error == ErrorClass.TRUNCATE) {
            engine.post(control -> control.revokeIfKept(state));
        }
    }

    private static void end(
            CollectiveCall call, ErrorClass error, Throwable thrown, CollectiveBuffer send, CollectiveBuffer receive) {
        if (error == ErrorClass.SUCCESS) {
            release(send);
            release(receive);
            call.succeed(null);
        } else if (error == ErrorClass.TRUNCATE && thrown instanceof CallError fault) {
            call.end(fault);
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
