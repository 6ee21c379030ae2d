package org.ulfmj.runtime;

import java.util.function.Supplier;
import org.ulfmj.runtime.error.CallError;
import org.ulfmj.runtime.error.ErrorClass;
import org.ulfmj.runtime.hint.ErrorHints;
import org.ulfmj.runtime.recovery.UniformOutcomes;

/**
 * The calls that make other communicators from one communicator. Where the hints about errors ask for it, such a call,
 * but for {@link #companion}, ends with the same result or error at all members. An object of this class has no state.
 *
 * <p>Threads and errors as for {@link Communicator}.
 */
public final class CommunicatorCreation {
    private final RankRuntime runtime;
    private final RankEngine engine;
    private final Communicator communicator;
    private final CommunicatorState state;

    CommunicatorCreation(RankRuntime runtime, Communicator communicator, CommunicatorState state) {
        this.runtime = runtime;
        this.engine = runtime.engine();
        this.communicator = communicator;
        this.state = state;
    }

    /**
     * Returns a communicator of the same members under a new id, with the same {@link ErrorHints}. Collective, but
     * without a message unless these hints ask for one.
     */
    public Communicator dup() {
        UniformOutcomes uniform = state.uniformCreations();
        ErrorHints hints = state.errorHints();
        return uniform == null ? dup("dup", hints) : make(uniform, "dup", () -> dup("dup", hints));
    }

    /**
     * As {@link #dup()}, with the given hints about errors in place of those of this communicator. All members must
     * give the same hints; an agreement finds out whether they do.
     *
     * @param hints null for none
     * @throws CallError of class {@link ErrorClass#INFO_VALUE}, at all members alike, if the hints differ or are not
     *     allowed
     */
    public Communicator dupWithInfo(ErrorHints hints) {
        Communicator made = null;
        CallError own = null;
        boolean isWhole = false;
        try {
            try {
                made = dup("dupWithInfo", hints);
            } catch (CallError fault) {
                own = fault;
            }
            agreeOnHints("dupWithInfo", hints, own);
            isWhole = true;
            return made;
        } finally {
            if (!isWhole) {
                giveUp(made);
            }
        }
    }

    private static Communicator make(UniformOutcomes uniform, String call, Supplier<Communicator> creation) {
        return uniform.make(call, creation, CommunicatorCreation::giveUp);
    }

    /**
     * Revokes and frees a communicator that some members may not have, so that its members do not wait on it. Does
     * nothing if {@code made} is null or freed.
     */
    private static void giveUp(Communicator made) {
        if (made != null && !made.isFreed()) {
            made.recovery().revoke();
            made.free();
        }
    }

    private Communicator dup(String call, ErrorHints hints) {
        engine.enter(state, call);
        try {
            return runtime.factory().dup(state, call, hints);
        } finally {
            engine.leave();
        }
    }

    /**
     * Sets hints about errors; hints that are not given stay as they are. All members must give the same hints; an
     * agreement finds out whether they do.
     *
     * @param hints null for none
     * @throws CallError of class {@link ErrorClass#INFO_VALUE}, at all members alike, if the hints differ or are not
     *     allowed; nothing has changed then
     */
    public void setErrorHints(ErrorHints hints) {
        agreeOnHints("setInfo", hints, null);
        if (hints == null) {
            return;
        }
        engine.enter(state, "setInfo");
        try {
            runtime.factory().setErrorHints(state, hints.over(state.errorHints()));
        } finally {
            engine.leave();
        }
    }

    /**
     * @param given the hints that the program gave; null for none
     * @param own the error with which the call failed at this rank before the agreement; null if it has not failed
     */
    private void agreeOnHints(String call, ErrorHints given, CallError own) {
        ErrorHints hints = given == null ? ErrorHints.NONE : given;
        engine.enter(state, call);
        try {
            int ended = UniformOutcomes.flagOf(own == null ? ErrorClass.SUCCESS : own.error());
            int mine = hints.bits() | ended << ErrorHints.FREE_BITS;
            int agreed = runtime.recovery().agreeOnHints(state, mine);
            if (!ErrorHints.areEqual(agreed)) {
                throw hints.refused(state, call);
            }
            ErrorClass common = UniformOutcomes.commonOf(agreed >> ErrorHints.FREE_BITS);
            if (common != ErrorClass.SUCCESS) {
                throw own != null ? own : UniformOutcomes.elsewhere(state, call, ErrorClass.SUCCESS, common);
            }
        } finally {
            engine.leave();
        }
    }

    /**
     * Returns a communicator of the same members under another id, for a library whose messages must not match the
     * program's. There is one per communicator. All members call this, each at any time. The call sends no message, and
     * failures do not stop it.
     */
    public Communicator companion(String label) {
        engine.enter(state, "companion");
        try {
            return runtime.factory().companion(state, label);
        } finally {
            engine.leave();
        }
    }

    /**
     * Starts {@link #dup} as a non-blocking operation: its error, if any, is raised when the operation is looked at.
     */
    public CollectiveCall startDup() {
        engine.enter(state, "iDup");
        try {
            return runtime.factory().startDup(state);
        } finally {
            engine.leave();
        }
    }

    /**
     * Returns a communicator of the members that give the same colour, ordered by key, then by rank here; null for
     * {@link Communicator#UNDEFINED}.
     */
    public Communicator split(int colour, int key) {
        UniformOutcomes uniform = state.uniformCreations();
        return uniform == null ? splitHere(colour, key) : make(uniform, "split", () -> splitHere(colour, key));
    }

    private Communicator splitHere(int colour, int key) {
        engine.enter(state, "split");
        try {
            return runtime.factory().split(state, colour, key);
        } finally {
            engine.leave();
        }
    }

    /**
     * Returns a communicator of those members on this rank's host that take part, ordered by key, then by rank here;
     * null at a member that takes no part.
     */
    public Communicator splitByHost(boolean takesPart, int key) {
        UniformOutcomes uniform = state.uniformCreations();
        return uniform == null
                ? splitByHostHere(takesPart, key)
                : make(uniform, "splitType", () -> splitByHostHere(takesPart, key));
    }

    private Communicator splitByHostHere(boolean takesPart, int key) {
        engine.enter(state, "splitType");
        try {
            return runtime.factory().splitByHost(state, takesPart, key);
        } finally {
            engine.leave();
        }
    }

    /**
     * Returns a communicator of the given ranks in the given order; null at other ranks. Collective over this
     * communicator.
     */
    public Communicator create(int[] ranks) {
        return create(ranks, "create", "part of ");
    }

    /**
     * As {@link #create(int[])}.
     *
     * @param operation the name of the call as the program wrote it
     * @param origin the beginning of the label, for example {@code "grid of "}
     */
    public Communicator create(int[] ranks, String operation, String origin) {
        UniformOutcomes uniform = state.uniformCreations();
        return uniform == null
                ? createHere(ranks, operation, origin)
                : make(uniform, operation, () -> createHere(ranks, operation, origin));
    }

    private Communicator createHere(int[] ranks, String operation, String origin) {
        engine.enter(state, operation);
        try {
            return runtime.factory().create(state, ranks, operation, origin);
        } finally {
            engine.leave();
        }
    }

    /**
     * Makes a communicator of all members in the same order, after {@code exchange} has let them exchange data on this
     * communicator. If the exchange fails at this rank, no other member will wait for this rank on the new
     * communicator.
     *
     * @param operation the name of the call as the program wrote it
     * @param origin the beginning of the label, for example {@code "graph of "}
     * @param exchange runs collective operations of this communicator; called without the engine lock
     */
    public Communicator createAfter(String operation, String origin, Runnable exchange) {
        UniformOutcomes uniform = state.uniformCreations();
        return uniform == null
                ? createHere(operation, origin, exchange)
                : make(uniform, operation, () -> createHere(operation, origin, exchange));
    }

    private Communicator createHere(String operation, String origin, Runnable exchange) {
        CommunicatorFactory factory = runtime.factory();
        long id = begin(operation, factory);
        boolean isExchanged = false;
        try {
            exchange.run();
            isExchanged = true;
        } finally {
            if (!isExchanged) {
                abort(id, factory);
            }
        }
        engine.enter(state, operation);
        try {
            return factory.createWhole(state, id, operation, origin);
        } finally {
            engine.leave();
        }
    }

    private long begin(String operation, CommunicatorFactory factory) {
        engine.enter(state, operation);
        try {
            return factory.idOfWhole(state);
        } finally {
            engine.leave();
        }
    }

    private void abort(long id, CommunicatorFactory factory) {
        engine.lock().lock();
        try {
            if (!engine.isOver()) {
                factory.abortWhole(state, id);
            }
        } finally {
            engine.leave();
        }
    }

    /**
     * As {@link #create(int[])}, but called by the given ranks only; {@code tag} tells calls of the same ranks apart.
     */
    public Communicator createGroup(int[] ranks, int tag) {
        UniformOutcomes uniform = outcomesOfGroup(ranks, tag);
        if (uniform == null) {
            return createGroupHere(ranks, tag);
        }
        try {
            return make(uniform, "createGroup", () -> createGroupHere(ranks, tag));
        } finally {
            engine.lock().lock();
            try {
                if (!engine.isOver()) {
                    engine.free(engine.communicators().get(uniform.agreeing().id()));
                }
            } finally {
                engine.leave();
            }
        }
    }

    /**
     * Returns what makes one call of createGroup end with the same result or error at all members of the group; null if
     * the hints do not ask for that, or this rank is no member of the group.
     */
    private UniformOutcomes outcomesOfGroup(int[] ranks, int tag) {
        engine.enter(state, "createGroup");
        try {
            return state.uniformCreations() == null ? null : runtime.factory().outcomesOfGroup(state, ranks, tag);
        } finally {
            engine.leave();
        }
    }

    private Communicator createGroupHere(int[] ranks, int tag) {
        engine.enter(state, "createGroup");
        try {
            return runtime.factory().createGroup(state, ranks, tag);
        } finally {
            engine.leave();
        }
    }

    /**
     * Makes an inter-communicator of the members of this communicator and of those of another. All members of both call
     * this.
     *
     * @param leader the rank of this group's leader in this communicator
     * @param peer the communicator in which the leaders find each other; null at all members but the leader, and at a
     *     leader with a {@code mistake}
     * @param remoteLeader the rank of the other leader in {@code peer}
     * @param mistake the error of the leader's arguments, of which the other members are told; null if there is none
     */
    public Communicator createInter(int leader, Communicator peer, int remoteLeader, int tag, CallError mistake) {
        UniformOutcomes uniform = state.uniformCreations();
        return uniform == null
                ? createInterHere(leader, peer, remoteLeader, tag, mistake)
                : make(uniform, "createIntercomm", () -> createInterHere(leader, peer, remoteLeader, tag, mistake));
    }

    private Communicator createInterHere(int leader, Communicator peer, int remoteLeader, int tag, CallError mistake) {
        engine.enter(state, "createIntercomm");
        try {
            InterCommunicators.Leading leading = communicator.rank() != leader
                    ? null
                    : new InterCommunicators.Leading(
                            peer == null ? null : peer.state(),
                            peer == null ? -1 : peer.state().memberOf(remoteLeader),
                            tag,
                            mistake);
            return runtime.inter().create(state, leader, leading);
        } finally {
            engine.leave();
        }
    }

    /**
     * Makes a communicator of both groups of this inter-communicator. The ranks of the group that gives {@code high}
     * come second; if both groups give the same, those of the first group come first.
     */
    public Communicator merge(boolean high) {
        UniformOutcomes uniform = state.uniformCreations();
        return uniform == null ? mergeHere(high) : make(uniform, "merge", () -> mergeHere(high));
    }

    private Communicator mergeHere(boolean high) {
        engine.enter(state, "merge");
        try {
            return runtime.inter().merge(state, high);
        } finally {
            engine.leave();
        }
    }
}
