package org.ulfmj.runtime.recovery;

import java.util.ArrayDeque;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.ulfmj.agree.message.Contribution;
import org.ulfmj.agree.message.Decision;
import org.ulfmj.agree.message.Kind;
import org.ulfmj.protocol.SlotSet;
import org.ulfmj.runtime.error.CallError;
import org.ulfmj.runtime.error.ErrorClass;
import org.ulfmj.runtime.progress.Progress;
import org.ulfmj.runtime.transfer.CallErrors;
import org.ulfmj.runtime.transfer.MessageContext;
import org.ulfmj.runtime.waits.NamedWait;
import org.ulfmj.runtime.waits.WaitNotes;

/**
 * How collective operations end in the same way at all live members. When an operation has ended at this rank, the rank
 * enters an agreement about its success or error; the operation is complete when that agreement is decided. It has
 * succeeded only if it succeeded at every member that takes part in the agreement.
 *
 * <p>The agreements are entered in the order in which the operations began, which is the same at all members. They are
 * made on a separate communicator: on the program's communicator their order among the program's own agreements would
 * differ between members, since a non-blocking operation ends at any time. A member that runs enters the agreement also
 * if it leaves the operation by an error that is no {@link CallError}. Under the engine lock, except for {@link #run}
 * and {@link #make}.
 */
public final class UniformOutcomes {
    /**
     * A listener that is told once, under the engine lock, whether an operation has succeeded or failed over all
     * members.
     */
    public interface Listener {
        /**
         * @param common {@link ErrorClass#SUCCESS} if the operation succeeded at all members, else the error class that
         *     all members raise
         * @param elsewhere the error to raise if this rank itself has not met an error of the class {@code common};
         *     else null
         */
        void onAgreed(ErrorClass common, CallError elsewhere);
    }

    /**
     * The error classes that members tell each other of; each other class counts as the last one. If members met
     * several, the first of this list is the common one.
     */
    private static final ErrorClass[] TOLD = {
        ErrorClass.PROC_FAILED, ErrorClass.REVOKED, ErrorClass.TRUNCATE, ErrorClass.OTHER
    };

    private final ControlPlane.Rank engine;
    private final ControlPlane control;
    private final Progress progress;
    private final MessageContext communicator;
    /** The communicator on which the members agree. */
    private final MessageContext agreeing;
    /**
     * The operations that have begun and whose agreement this rank has not entered, in the order in which they began.
     */
    private final ArrayDeque<Outcome> open = new ArrayDeque<>();

    public UniformOutcomes(
            ControlPlane.Rank engine,
            ControlPlane control,
            Progress progress,
            MessageContext communicator,
            MessageContext agreeing) {
        this.engine = engine;
        this.control = control;
        this.progress = progress;
        this.communicator = communicator;
        this.agreeing = agreeing;
    }

    /**
     * Returns the communicator on which the members agree. It is freed together with the program's communicator that
     * has these outcomes.
     */
    public MessageContext agreeing() {
        return agreeing;
    }

    /** The end of one operation. */
    public final class Outcome implements NamedWait {
        private final String call;
        private Listener listener;
        /** How the operation ended at this rank; null until then. */
        private ErrorClass own;
        /** The agreement about how the operation ended; null until this rank has entered it. */
        private Agreement agreement;

        private ErrorClass common;
        private CallError elsewhere;

        private Outcome(String call) {
            this.call = call;
        }

        /**
         * Notes how the operation ended at this rank; the agreement about it is entered in its turn.
         *
         * @param how the error class with which it ended, or {@link ErrorClass#SUCCESS}
         * @param newListener is told how the operation ended at all members; null if a thread waits for this outcome,
         *     or if nothing waits for it
         */
        public void end(ErrorClass how, Listener newListener) {
            own = how;
            listener = newListener;
            if (how == ErrorClass.SUCCESS) {
                enterNext();
            } else {
                // An operation may fail in the middle of a protocol step, and entering an agreement is another step,
                // which must wait until the first has ended.
                engine.post(core -> enterNext());
            }
        }

        public boolean hasEnded() {
            return own != null;
        }

        private void enter() {
            try {
                Contribution mine = new Contribution(Kind.OUTCOME, flagOf(own), SlotSet.ALL);
                long sequence = control.enter(agreeing, mine);
                agreement = new Agreement(control, agreeing, call, sequence);
                control.decisions().tell(agreeing, sequence, this::onDecided);
            } catch (CallError fault) {
                agree(fault.error(), fault);
            }
        }

        private void onDecided(Decision decision) {
            ErrorClass met = commonOf(decision.flag(Kind.OUTCOME));
            boolean isOwn = met == ErrorClass.SUCCESS || own != ErrorClass.SUCCESS && indexOf(own) == indexOf(met);
            agree(met, isOwn ? null : elsewhere(communicator, call, own, met));
        }

        private void agree(ErrorClass newCommon, CallError newElsewhere) {
            common = newCommon;
            elsewhere = newElsewhere;
            agreeing.endCall();
            if (listener != null) {
                listener.onAgreed(common, elsewhere);
            }
        }

        @Override
        public boolean isDone() {
            return common != null;
        }

        @Override
        public void explain(WaitNotes notes) {
            if (agreement != null) {
                agreement.explain(notes);
            }
        }

        @Override
        public String toString() {
            return agreement == null ? call + " on " + communicator + ", at its end" : agreement.toString();
        }
    }

    /**
     * The error that this rank raises for an operation that met an error of the class {@code met} at another member,
     * but succeeded or met another error here.
     */
    public static CallError elsewhere(MessageContext communicator, String call, ErrorClass own, ErrorClass met) {
        String here = own == ErrorClass.SUCCESS ? "succeeded" : "failed with " + own;
        return CallErrors.fault(
                met,
                communicator,
                call,
                "it " + here + " at this rank, and failed with " + met + " at another member",
                "All members raise an error of this class: their outcome is agreed on");
    }

    private static int indexOf(ErrorClass error) {
        int index = 0;
        while (index < TOLD.length - 1 && TOLD[index] != error) {
            index++;
        }
        return index;
    }

    /**
     * Returns the flag by which a member tells the others how an operation ended at it, from this error class or
     * SUCCESS.
     */
    public static int flagOf(ErrorClass own) {
        return own == ErrorClass.SUCCESS ? -1 : ~(1 << indexOf(own));
    }

    /** Returns the common error class (or SUCCESS) from the bitwise AND of the flags of all members. */
    public static ErrorClass commonOf(int agreed) {
        for (int index = 0; index < TOLD.length; index++) {
            if ((agreed & 1 << index) == 0) {
                return TOLD[index];
            }
        }
        return ErrorClass.SUCCESS;
    }

    /** Begins an operation. The caller must call {@link Outcome#end} of the result, once. */
    public Outcome begin(String call) {
        Outcome outcome = new Outcome(call);
        agreeing.beginCall();
        open.addLast(outcome);
        return outcome;
    }

    private void enterNext() {
        while (!open.isEmpty() && open.peekFirst().own != null) {
            open.pollFirst().enter();
        }
    }

    /** Runs a blocking operation, and then waits until its outcome is agreed. Called without the engine lock. */
    public void run(String call, Runnable operation) {
        make(
                call,
                () -> {
                    operation.run();
                    return null;
                },
                nothing -> {});
    }

    /**
     * Runs a blocking operation that makes a result, and then waits until its outcome is agreed, as {@link #run} does.
     * If not all members succeed, the result, if this rank has one, is given to {@code giveUp} and the error is thrown.
     * An error of the operation is thrown at once, without that wait, if it is no {@link CallError} or if the
     * communicator is freed.
     */
    public <T> T make(String call, Supplier<T> operation, Consumer<T> giveUp) {
        T made = null;
        CallError own = null;
        boolean isOver = false;
        try {
            made = operation.get();
            isOver = true;
        } catch (CallError fault) {
            own = fault;
            isOver = true;
        } finally {
            if (!isOver) {
                leave(call);
            }
        }
        if (own != null && communicator.isFreed()) {
            throw own;
        }
        CallError fault = settle(call, own);
        if (fault != null) {
            if (made != null) {
                giveUp.accept(made);
            }
            throw fault;
        }
        return made;
    }

    /**
     * Notes that this rank has ended an operation, and waits until all live members have. Returns the error to raise at
     * this rank, or null if all succeeded.
     */
    private CallError settle(String call, CallError own) {
        engine.enter();
        try {
            Outcome outcome = begin(call);
            outcome.end(own == null ? ErrorClass.SUCCESS : own.error(), null);
            progress.await(outcome);
            if (outcome.common == ErrorClass.SUCCESS) {
                return null;
            }
            return outcome.elsewhere == null ? own : outcome.elsewhere;
        } finally {
            engine.leave();
        }
    }

    /**
     * Notes that this rank leaves an operation by an error that is no {@link CallError}. The other members are told
     * only that there was an error.
     */
    private void leave(String call) {
        engine.lock().lock();
        try {
            if (!engine.isOver()) {
                begin(call).end(ErrorClass.OTHER, null);
            }
        } finally {
            engine.leave();
        }
    }
}
