package org.ulfmj.runtime;

import java.util.ArrayList;
import java.util.List;
import org.ulfmj.runtime.collective.CollectiveBuffer;
import org.ulfmj.runtime.collective.CollectiveSchedule;
import org.ulfmj.runtime.collective.Neighborhood;
import org.ulfmj.runtime.collective.choice.PackedCollective;
import org.ulfmj.runtime.collective.run.KeptCall;
import org.ulfmj.runtime.error.CallError;
import org.ulfmj.runtime.error.ErrorClass;
import org.ulfmj.runtime.host.HostArguments;
import org.ulfmj.runtime.host.HostCall;
import org.ulfmj.runtime.host.HostRuns;
import org.ulfmj.runtime.host.WindowOffer;
import org.ulfmj.runtime.recovery.UniformOutcomes;
import org.ulfmj.runtime.reduction.Reduction;
import org.ulfmj.runtime.waits.NamedWait;
import org.ulfmj.transport.Payload;

/**
 * Collective operations of one communicator that do not wait: each method begins one and returns at once. Some go
 * through memory that the members share ({@link HostRuns}), the others by messages. Which way an operation goes depends
 * on nothing that differs between members.
 *
 * <p>An operation takes its number on the communicator when it begins, as a blocking one does: all members must begin
 * their operations, blocking and non-blocking ones, in the same order. Any number of them may be under way, and they
 * end in any order. A failure or a revocation is never raised here but by the call that completes the request. Results
 * are written to the program's buffers before the operation ends.
 *
 * <p>{@code call} is the name of the operation as the program wrote it.
 */
public final class StartedCollectives {
    /**
     * The length, in bytes that this rank sends and receives, from which on an operation by messages wakes the progress
     * thread when it begins. The progress thread finds shorter operations after its nap.
     */
    private static final int LONG_BYTES = 64 * 1024;

    private static final int MOST_IDLE = 16;

    private final RankEngine engine;
    private final CommunicatorState state;
    /** Objects of calls that have ended, to be used again. Under the engine lock. */
    private final List<StartedCall> idle = new ArrayList<>(0);
    /**
     * By kind of operation: the object that calls share which had ended when they returned; made anew when the name of
     * the operation changes. Under the engine lock.
     */
    private final CollectiveCall[] over = new CollectiveCall[HostCall.KINDS];

    StartedCollectives(RankEngine engine, CommunicatorState state) {
        this.engine = engine;
        this.state = state;
    }

    public CollectiveCall barrier(String call) {
        return start(HostCall.BARRIER, call, null, null, 0, null, 0);
    }

    public CollectiveCall broadcast(String call, CollectiveBuffer data, int root) {
        return start(HostCall.BCAST, call, data, data, 0, null, root);
    }

    /** As {@link BlockingCollectives#gather}. */
    public CollectiveCall gather(
            String call, CollectiveBuffer send, CollectiveBuffer receive, boolean areEqual, int root) {
        KeptCall kept = engine.keptCalls().take();
        return start(call, kept, kept.packed().gather(state, send, receive, areEqual, root), send, receive);
    }

    /** As {@link BlockingCollectives#scatter}. */
    public CollectiveCall scatter(String call, CollectiveBuffer send, CollectiveBuffer receive, int root) {
        KeptCall kept = engine.keptCalls().take();
        return start(call, kept, kept.packed().scatter(state, send, receive, root), send, receive);
    }

    /** As {@link BlockingCollectives#allGather}. */
    public CollectiveCall allGather(String call, CollectiveBuffer send, CollectiveBuffer receive) {
        return start(HostCall.ALL_GATHER, call, send, receive, 0, null, 0);
    }

    /** As {@link BlockingCollectives#allToAll}. */
    public CollectiveCall allToAll(String call, CollectiveBuffer send, CollectiveBuffer receive) {
        return start(HostCall.ALL_TO_ALL, call, send, receive, 0, null, 0);
    }

    /** As {@link BlockingCollectives#neighbors}. */
    public CollectiveCall neighbors(
            String call, Neighborhood neighbors, CollectiveBuffer send, CollectiveBuffer receive) {
        KeptCall kept = engine.keptCalls().take();
        return start(call, kept, kept.packed().neighbors(call, neighbors, send, receive), send, receive);
    }

    /** As {@link BlockingCollectives#reduce}. */
    public CollectiveCall reduce(
            String call,
            CollectiveBuffer send,
            CollectiveBuffer receive,
            int elementBytes,
            Reduction reduction,
            int root) {
        return start(HostCall.REDUCE, call, send, receive, elementBytes, reduction, root);
    }

    /** As {@link BlockingCollectives#allReduce}. */
    public CollectiveCall allReduce(
            String call, CollectiveBuffer send, CollectiveBuffer receive, int elementBytes, Reduction reduction) {
        return start(HostCall.ALL_REDUCE, call, send, receive, elementBytes, reduction, 0);
    }

    /** As {@link BlockingCollectives#scan}. */
    public CollectiveCall scan(
            String call, CollectiveBuffer send, CollectiveBuffer receive, int elementBytes, Reduction reduction) {
        KeptCall kept = engine.keptCalls().take();
        return start(call, kept, kept.packed().scan(send, receive, elementBytes, reduction), send, receive);
    }

    /** As {@link BlockingCollectives#exclusiveScan}. */
    public CollectiveCall exclusiveScan(
            String call, CollectiveBuffer send, CollectiveBuffer receive, int elementBytes, Reduction reduction) {
        KeptCall kept = engine.keptCalls().take();
        return start(
                call, kept, kept.packed().exclusiveScan(state, send, receive, elementBytes, reduction), send, receive);
    }

    /** As {@link BlockingCollectives#reduceScatter}. */
    public CollectiveCall reduceScatter(
            String call, CollectiveBuffer send, CollectiveBuffer receive, int elementBytes, Reduction reduction) {
        KeptCall kept = engine.keptCalls().take();
        return start(
                call, kept, kept.packed().reduceScatter(state, send, receive, elementBytes, reduction), send, receive);
    }

    /**
     * Begins an operation through shared memory if it goes that way, else by messages.
     *
     * @param kind see {@link HostCall}
     * @param send released when the operation has succeeded, as {@code receive} is; both may be null or the same
     */
    private CollectiveCall start(
            int kind,
            String name,
            CollectiveBuffer send,
            CollectiveBuffer receive,
            int elementBytes,
            Reduction reduction,
            int root) {
        if (state.isInter() || mayBeUnequal(kind, send, receive)) {
            KeptCall kept = engine.keptCalls().take();
            PackedCollective packed = pack(kept, kind, send, receive, elementBytes, reduction, root);
            return start(name, kept, packed, send, receive);
        }
        StartedCall call;
        boolean wantsOffer;
        engine.enter(state, name);
        try {
            call = take();
            set(call.arguments(), kind, name, send, receive, elementBytes, reduction, root);
            if (engine.inMemory().isNextInMemory(state.hostShare, call.arguments())) {
                boolean mayBeOver = mayBeOverAtOnce();
                if (mayBeOver && isOverAtOnce(call)) {
                    giveBack(call);
                    release(send, receive);
                    return overAtOnce(kind, name);
                }
                beginInMemory(call, name, send, receive);
                if (mayBeOver && call.isDone() && call.error() == ErrorClass.SUCCESS) {
                    engine.transfers().release(call);
                    return overAtOnce(kind, name);
                }
                return call;
            }
            wantsOffer = engine.inMemory().isOfferWanted(state.hostShare, call.arguments());
        } finally {
            engine.leave();
        }
        KeptCall kept = engine.keptCalls().take();
        PackedCollective packed = pack(kept, kind, send, receive, elementBytes, reduction, root);
        return startUnlessInMemory(call, name, kept, packed, wantsOffer, send, receive);
    }

    /**
     * Whether an operation that ends in the call that starts it may be given the object of {@link #overAtOnce}, so that
     * the call that completes its request need not enter the engine.
     */
    private boolean mayBeOverAtOnce() {
        return !state.isUniform() && !engine.hasFaultPoints(); // planned faults count each entry
    }

    private boolean isOverAtOnce(StartedCall call) {
        boolean isBegun = false;
        try {
            boolean isOver = engine.inMemory().isOverAtOnce(call.arguments());
            isBegun = true;
            return isOver;
        } finally {
            if (!isBegun) {
                giveUp(call);
            }
        }
    }

    /** Returns the call of a request that was complete when its operation was started. */
    private CollectiveCall overAtOnce(int kind, String name) {
        CollectiveCall shared = over[kind];
        if (shared == null || !shared.describe().equals(name)) {
            shared = CollectiveCall.overAtOnce(state, name);
            over[kind] = shared;
        }
        return shared;
    }

    /** Releases the buffers of an operation that has succeeded; both may be null or the same. */
    static void release(CollectiveBuffer send, CollectiveBuffer receive) {
        if (send != null) {
            send.release();
        }
        if (receive != null && receive != send) {
            receive.release();
        }
    }

    /**
     * Begins an operation that goes by messages as far as this rank knows before it enters the engine; inside, it may
     * turn out to go through shared memory.
     */
    private CollectiveCall startUnlessInMemory(
            StartedCall call,
            String name,
            KeptCall kept,
            PackedCollective packed,
            boolean wantsOffer,
            CollectiveBuffer send,
            CollectiveBuffer receive) {
        CollectiveSchedule schedule = prepare(packed);
        WindowOffer offer = wantsOffer ? engine.inMemory().makeOffer(state.hostShare, call.arguments()) : null;
        boolean isBegun = false;
        try {
            engine.enter(state, name);
            try {
                begin(call, name, kept, schedule, offer, send, receive);
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

    /**
     * Whether the parts of different members may have different lengths: then the operation goes by messages, at all
     * members.
     */
    private static boolean mayBeUnequal(int kind, CollectiveBuffer send, CollectiveBuffer receive) {
        return kind == HostCall.ALL_GATHER && receive.payload() == null
                || kind == HostCall.ALL_TO_ALL && send.payload() == null;
    }

    private void set(
            HostArguments arguments,
            int kind,
            String name,
            CollectiveBuffer send,
            CollectiveBuffer receive,
            int elementBytes,
            Reduction reduction,
            int root) {
        boolean isBroadcast = kind == HostCall.BCAST;
        boolean isRoot = state.rank() == root;
        Payload sent = send == null || isBroadcast && !isRoot ? null : send.payload();
        Payload received = receive == null || isBroadcast && isRoot ? null : receive.payload();
        arguments.set(name, kind, sent, received, elementBytes, reduction, root);
    }

    /** Packs the arguments of an operation that goes by messages. Without the engine lock. */
    private PackedCollective pack(
            KeptCall kept,
            int kind,
            CollectiveBuffer send,
            CollectiveBuffer receive,
            int elementBytes,
            Reduction reduction,
            int root) {
        return switch (kind) {
            case HostCall.BARRIER -> kept.packed().barrier(state);
            case HostCall.BCAST -> kept.packed().broadcast(state, send, root);
            case HostCall.ALL_GATHER -> kept.packed().allGather(state, send, receive);
            case HostCall.ALL_TO_ALL -> kept.packed().allToAll(state, send, receive);
            case HostCall.REDUCE -> kept.packed().reduce(state, send, receive, elementBytes, reduction, root);
            default -> kept.packed().allReduce(state, send, receive, elementBytes, reduction);
        };
    }

    private StartedCall take() {
        return idle.isEmpty() ? new StartedCall(this, state) : idle.remove(idle.size() - 1);
    }

    /** Takes back the object of a call that is over, to be used again: the program has no reference to it any more. */
    void giveBack(StartedCall call) {
        if (idle.size() < MOST_IDLE) {
            idle.add(call);
        }
    }

    /** Takes back the objects of an operation that has succeeded: the program has no reference to them any more. */
    void giveBack(KeptCall kept) {
        engine.keptCalls().giveBack(kept);
    }

    private void giveBack(WindowOffer offer) {
        engine.lock().lock();
        try {
            engine.inMemory().giveBack(offer);
        } finally {
            engine.lock().unlock();
        }
    }

    /** @param packed the packed arguments of {@code kept}, or others that were made for this operation */
    private CollectiveCall start(
            String name, KeptCall kept, PackedCollective packed, CollectiveBuffer send, CollectiveBuffer receive) {
        CollectiveSchedule schedule = prepare(packed);
        engine.enter(state, name);
        try {
            StartedCall call = take();
            boolean isBegun = false;
            try {
                begin(call, name, send, receive);
                beginByMessages(call, kept, schedule);
                isBegun = true;
                return call;
            } finally {
                if (!isBegun) {
                    giveUp(call);
                }
            }
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

    private void beginInMemory(StartedCall call, String name, CollectiveBuffer send, CollectiveBuffer receive) {
        boolean isBegun = false;
        try {
            begin(call, name, send, receive);
            NamedWait run = engine.inMemory().startInMemory(call.arguments(), call);
            if (!run.isDone()) {
                call.progress(run);
                goOn(call);
            }
            isBegun = true;
        } finally {
            if (!isBegun) {
                giveUp(call);
            }
        }
    }

    private void begin(
            StartedCall call,
            String name,
            KeptCall kept,
            CollectiveSchedule schedule,
            WindowOffer offer,
            CollectiveBuffer send,
            CollectiveBuffer receive) {
        boolean isBegun = false;
        try {
            begin(call, name, send, receive);
            NamedWait run = engine.inMemory().start(state.hostShare, call.arguments(), schedule, offer, call);
            if (run == null) {
                beginByMessages(call, kept, schedule);
            } else if (!run.isDone()) {
                call.progress(run);
                goOn(call);
            }
            isBegun = true;
        } finally {
            if (!isBegun) {
                giveUp(call);
            }
        }
    }

    private void begin(StartedCall call, String name, CollectiveBuffer send, CollectiveBuffer receive) {
        UniformOutcomes.Outcome outcome =
                state.isUniform() ? state.uniformCollectives().begin(name) : null;
        call.begin(name, send, receive, outcome);
    }

    /**
     * Runs a step of local work, if one is due, after an operation in shared memory has begun or was put off; of a long
     * operation that has not ended the progress thread is told.
     */
    private void goOn(StartedCall call) {
        if (engine.hasStep(false)) {
            // This thread runs the step, because it has the program's data at hand.
            engine.runStep(false);
        }
        if (!call.isDone() && call.arguments().isLong()) {
            engine.progress().onLongBegun();
        }
    }

    private void beginByMessages(StartedCall call, KeptCall kept, CollectiveSchedule schedule) {
        CallError mismatch = engine.inMemory().mismatch(state.hostShare, call.describe());
        if (mismatch != null) {
            state.beginCollective();
            schedule.discard();
            call.onEnd(ErrorClass.TRUNCATE, mismatch);
            return;
        }
        call.begin(kept, schedule);
        if (!call.isDone() && schedule.messageBytes() >= LONG_BYTES) {
            engine.progress().onLongStart();
        }
    }

    /**
     * Revokes the communicator, and ends a call whose operation an error has kept from beginning at this rank. Does
     * nothing if this rank is over.
     */
    private void giveUp(StartedCall call) {
        // This revokes the communicator, which ends the call if its operation is under way already.
        engine.byMessages().leaveInTheMiddle(state);
        if (!engine.isOver()) {
            call.giveUp();
        }
    }

    /**
     * Revokes the communicator if the error says that ranks have called with different arguments. Which way a later
     * call goes depends on the calls before, so the ways of two ranks could part, and each would wait for the other for
     * ever; and a rank that the error has kept from sending its part may be awaited now. The revocation comes later: a
     * rank meets the error in the middle of a step of the protocols, which must end before another begins.
     */
    void revokeIfDivided(ErrorClass error) {
        if (error == ErrorClass.TRUNCATE) {
            engine.post(control -> control.revokeIfKept(state));
        }
    }
}
