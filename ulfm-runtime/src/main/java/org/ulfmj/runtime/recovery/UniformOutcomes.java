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
 * How collective operations end alike at all members that live. When an operation has ended at this rank, the rank
 * enters an agreement about how; the operation is over when that is decided. It has succeeded if it did so at every
 * member.
 *
 * <p>The agreements are entered in the order in which the operations began, which is the same at all members. They are
 * made on a separate communicator: the order in which they meet the program's own agreements would differ between
 * members, since an operation that does not wait ends at any time. Each member enters each agreement once, also if it
 * leaves the operation by an error that is no {@link CallError}. Under the engine lock, except for {@link #run} and
 * {@link #make}.
 */
public final class UniformOutcomes {
    /** Is told, under the engine lock, how an operation has ended at all members. */
    public interface Listener {
        /**
         * @param common {@link ErrorClass#SUCCESS} if the operation succeeded at all members
         * @param elsewhere the error to raise, if this rank has not met one of the common class itself; else null
         */
        void onAgreed(ErrorClass common, CallError elsewhere);
    }

    /** The errors that members tell each other of. If they met several, the first of these is the one for all. */
    private static final ErrorClass[] TOLD = {
        ErrorClass.PROC_FAILED, ErrorClass.REVOKED, ErrorClass.TRUNCATE, ErrorClass.OTHER
    };

    private final ControlPlane.Rank engine;
    private final ControlPlane control;
    private final Progress progress;
    private final MessageContext communicator;
    /** The communicator on which the members agree. */
    private final MessageContext agreeing;
    /** The operations whose agreement this rank has not entered, in the order in which they began. */
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

    /** The communicator on which the members agree. It is freed with the one that has these outcomes. */
    public MessageContext agreeing() {
        return agreeing;
    }

    /** The end of one operation. */
    public final class Outcome implements NamedWait {
        private final String call;
        private Listener listener;
        /** How the operation ended at this rank; null until then. */
        private ErrorClass own;
        /** Null until this rank has entered the agreement. */
        private Agreement agreement;

        private ErrorClass common;
        private CallError elsewhere;

        private Outcome(String call) {
            this.call = call;
        }

        /**
         * Notes how the operation ended at this rank.
         *
         * @param newListener is told how it ended at all members; null if a thread waits for this outcome, or none does
         */
        public void end(ErrorClass how, Listener newListener) {
            own = how;
            listener = newListener;
            if (how == ErrorClass.SUCCESS) {
                enterNext();
            } else {
                // An operation may fail in the middle of a step of the protocols, which must end before another begins.
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

    /** The error of an operation that met another error at another member. */
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

    /** What a member tells the others of an operation that ended at it with this error class, or with SUCCESS. */
    public static int flagOf(ErrorClass own) {
        return own == ErrorClass.SUCCESS ? -1 : ~(1 << indexOf(own));
    }

    /** The error for all, by the bitwise AND of what all members told. */
    public static ErrorClass commonOf(int agreed) {
        for (int index = 0; index < TOLD.length; index++) {
            if ((agreed & 1 << index) == 0) {
                return TOLD[index];
            }
        }
        return ErrorClass.SUCCESS;
    }

    /** Begins an operation. Its {@link Outcome#end} is to be called, once. */
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

    /** Runs an operation that waits. Not inside the engine. */
    public void run(String call, Runnable operation) {
        make(
                call,
                () -> {
                    operation.run();
                    return null;
                },
                nothing -> {});
    }

    /** As {@link #run}, for an operation with a result, which is given up if not all members succeed. */
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

    /** Waits until all members have ended an operation. Returns the error to raise, or null. */
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

    /** This rank leaves an operation by an error of which the others are told only that there was one. */
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
