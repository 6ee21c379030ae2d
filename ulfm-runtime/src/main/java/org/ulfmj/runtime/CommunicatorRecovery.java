package org.ulfmj.runtime;

import org.ulfmj.agree.message.Contribution;
import org.ulfmj.agree.message.Kind;
import org.ulfmj.runtime.error.CallError;
import org.ulfmj.runtime.error.ErrorClass;
import org.ulfmj.runtime.recovery.AgreedNotes;
import org.ulfmj.runtime.recovery.RecoveryErrors;
import org.ulfmj.transport.Payload;

/**
 * How a communicator survives failures: its revocation, which failures are known and acknowledged, what its members
 * agree on, and the communicators that go on without the dead or with others in their place. An object of this class
 * has no state.
 *
 * <p>Threads and errors as for {@link Communicator}.
 */
public final class CommunicatorRecovery {
    private final RankRuntime runtime;
    private final RankEngine engine;
    private final CommunicatorState state;

    CommunicatorRecovery(RankRuntime runtime, CommunicatorState state) {
        this.runtime = runtime;
        this.engine = runtime.engine();
        this.state = state;
    }

    /**
     * Revokes the communicator: at each member, from the moment at which that member is told, every operation on it
     * that has not ended, and every later one, ends with an error, except for the calls of recovery. Idempotent; needs
     * no matching call at other members, and no failure of a member makes it fail.
     */
    public void revoke() {
        engine.enter(state, "revoke");
        try {
            engine.control().revoke(state);
        } finally {
            engine.leave();
        }
    }

    /**
     * Sets whether a revocation of this communicator also revokes the communicators that are made from it from now on,
     * but for the {@linkplain CommunicatorCreation#companion companion} and, with fault tolerance, a shrunk one. That
     * holds at this rank only, so all members are to ask for it. It is for recovery loops: one rank may wait on a
     * communicator made from this one, while another rank failed to make it, does not know its id, and can only revoke
     * this one. False also ends that for communicators made before. Returns the setting before.
     */
    public boolean revokeOffspring(boolean doIt) {
        engine.enter();
        try {
            return state.revokeOffspring(doIt);
        } finally {
            engine.leave();
        }
    }

    /**
     * The members ({@link Communicator#process}) that this rank knows to have failed, in the order in which it learned
     * of them. The list only grows, at its end.
     */
    public int[] failedRanks() {
        engine.enter();
        try {
            return state.failures().inOrder();
        } finally {
            engine.leave();
        }
    }

    /**
     * Acknowledges the first {@code count} failures of {@link #failedRanks}; a count of 0 acknowledges none and only
     * asks.
     *
     * @return how many failures are acknowledged now
     */
    public int acknowledge(int count) {
        engine.enter();
        try {
            return state.failures().acknowledge(count);
        } finally {
            engine.leave();
        }
    }

    /**
     * Returns the AND of the flags of all members that take part; on an inter-communicator, of those of the remote
     * group. All live members must call this.
     *
     * @throws CallError of class {@link ErrorClass#PROC_FAILED}, with the agreed value, at every member alike, if a
     *     failed member is not acknowledged by every member; of class {@link ErrorClass#ARG} if others are in another
     *     collective recovery call
     */
    public int agree(int flag) {
        engine.enter(state, "agree");
        try {
            return runtime.recovery().agree(state, flag);
        } finally {
            engine.leave();
        }
    }

    /**
     * As {@link #agree}, for a value that is to be made known outside of the job. If any member has returned with a
     * value, even a member that died since, all others return with the same value. With fault tolerance this takes a
     * second agreement.
     */
    public int agreeUniformly(int flag) {
        engine.enter(state, "agree");
        try {
            return runtime.recovery().agreeUniformly(state, flag);
        } finally {
            engine.leave();
        }
    }

    /**
     * As {@link #agree} without waiting: the agreed value is written to {@code result}, 4 bytes in native order, when
     * the call ends without an error, or with {@link ErrorClass#PROC_FAILED} because of a failed member that is not
     * acknowledged by every member.
     */
    public CollectiveCall startAgree(int flag, Payload result) {
        engine.enter(state, "iAgree");
        try {
            return runtime.recovery().startAgree(state, flag, result);
        } finally {
            engine.leave();
        }
    }

    /**
     * Returns the failed ranks, the same list at every member; the list includes every failure that a member knew
     * before its call.
     */
    public int[] agreeFailed() {
        engine.enter(state, "agreeFailed");
        try {
            return runtime.recovery().agreeFailed(state);
        } finally {
            engine.leave();
        }
    }

    /** Makes a communicator of the members but for those that are agreed to have failed, in the same order. */
    public Communicator shrink() {
        engine.enter(state, "shrink");
        try {
            return runtime.recovery().shrink(state);
        } finally {
            engine.leave();
        }
    }

    /**
     * Makes the world whole again: new processes take the places and ranks of the members that failed, and every other
     * process keeps its rank. All live members must call this. The call waits for them and, for at most
     * {@code ulfm.replace.timeout}, for the new processes, which the launcher starts ({@code mpiexec --max-restarts}).
     * The result is COMM_WORLD from now on, here and at the new processes, whose {@code Init} ends with it. No message
     * is under way in it. If no rank has failed only the id is new.
     *
     * <p>The COMM_WORLD before is given up. Other communicators that a dead process was in can still be shrunk and
     * freed: the new process is in none of them.
     *
     * @throws CallError of class {@link ErrorClass#COMM}, with nothing done, if this communicator does not have all
     *     members of the present world; of class {@link ErrorClass#SPAWN}, at every member alike, if a rank was not
     *     replaced (with {@code ulfm.replace.policy=shrink} it is left out instead), or the addresses of the processes
     *     do not fit into one message; of class {@link ErrorClass#ARG} if others are in another collective recovery
     *     call; of class {@link ErrorClass#OTHER} while another thread of this rank is in {@code replace}, {@code grow}
     *     or {@code Finalize}; of class {@link ErrorClass#UNSUPPORTED_OPERATION} without fault tolerance
     */
    public Communicator replace() {
        engine.enter(state, "replace");
        try {
            return runtime.recovery().replace(state);
        } finally {
            engine.leave();
        }
    }

    /**
     * Makes the next world: without the dead members, and with the processes that wait to be let in, under new and
     * higher slots. All live members must call this; the call waits for them alone. The result is COMM_WORLD from now
     * on, here and at the new processes, whose {@code Init} ends with it. If no member is dead and no process waits, or
     * none may be let in, nothing changes, and the result is the present COMM_WORLD.
     *
     * @throws CallError of class {@link ErrorClass#COMM}, with nothing done, if this communicator does not have all
     *     members of the present world; of class {@link ErrorClass#ARG} if others are in another collective recovery
     *     call; of class {@link ErrorClass#SPAWN}, at every member alike, if the addresses of the processes do not fit
     *     into one message; of class {@link ErrorClass#OTHER} while another thread of this rank is in {@code replace},
     *     {@code grow} or {@code Finalize}; of class {@link ErrorClass#UNSUPPORTED_OPERATION} without fault tolerance,
     *     and in a job whose recovery mode lets processes in by itself
     */
    public Communicator grow() {
        engine.enter(state, "grow");
        try {
            if (runtime.growsInRecovery()) {
                throw RecoveryErrors.grownByRabit(state);
            }
            return runtime.recovery().grow(state);
        } finally {
            engine.leave();
        }
    }

    /**
     * As {@link #grow}, for the recovery mode of an elastic job. Members that are in {@link #agreeNotes} meanwhile
     * learn that their call is not done, and then make this call.
     *
     * @param letsIn whether processes that wait are let in; no process is let in if any member gives false
     */
    public Communicator growInRecovery(boolean letsIn) {
        engine.enter(state, "grow");
        try {
            return runtime.recovery().growInRecovery(state, letsIn);
        } finally {
            engine.leave();
        }
    }

    /**
     * Gives each member the notes of all members that take part, by slot; all live members must call this. For the
     * recovery mode, which gives meaning to the notes.
     *
     * @param kind {@link Kind#COMMIT}, whose result also binds the others if a member that returned with it has died
     *     since, or {@link Kind#SUMMARY}
     */
    public AgreedNotes agreeNotes(Kind kind, byte[] note) {
        engine.enter(state, kind.callName());
        try {
            return runtime.recovery().agreeNotes(state, kind, note);
        } finally {
            engine.leave();
        }
    }

    /** The length in bytes of the longest note that every member may write in one agreement. */
    public int mostNoteBytes() {
        return Contribution.mostNoteBytes(state.members().size());
    }

    /** As {@link #shrink} without waiting. */
    public CollectiveCall startShrink() {
        engine.enter(state, "iShrink");
        try {
            return runtime.recovery().startShrink(state);
        } finally {
            engine.leave();
        }
    }
}
