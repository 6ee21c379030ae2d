package org.ulfmj.runtime.collective.run;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.ulfmj.runtime.collective.CollectiveSchedule;
import org.ulfmj.runtime.collective.Messenger;
import org.ulfmj.runtime.error.CallError;
import org.ulfmj.runtime.error.ErrorClass;
import org.ulfmj.runtime.progress.Completion;
import org.ulfmj.runtime.transfer.CallErrors;
import org.ulfmj.runtime.transfer.MessageContext;
import org.ulfmj.runtime.transfer.Operation;
import org.ulfmj.runtime.waits.NamedWait;
import org.ulfmj.runtime.waits.WaitNotes;

/** One collective operation under way: gives its schedule messages, and ends it when one of them fails. */
public final class ScheduleRun implements Messenger, NamedWait, Operation.Owner, DueStep {
    /** Stands for a message of an operation that has failed: the message is not started, and never done. */
    private static final class Never implements Completion {
        @Override
        public boolean isDone() {
            return false;
        }
    }

    /** The listener that is told, under the engine lock, of the end of an operation. */
    public interface Listener {
        /**
         * @param error how the operation ended; {@link ErrorClass#SUCCESS} if it did not fail
         * @param thrown what a step of the operation threw, or the error that says how the calls of the ranks differ;
         *     null if there is none
         */
        void onEnd(ErrorClass error, Throwable thrown);
    }

    private static final Completion NEVER = new Never();

    MessageContext communicator;
    private final ScheduleRuns runs;
    private CollectiveSchedule schedule;
    private String operation;
    private long sequence;
    /** The listener that is told of the operation's end; null if a thread waits for the run. */
    private Listener listener;
    /**
     * The tag of the operation's messages: the low bits of its number on the communicator, or a tag that was given for
     * it.
     */
    private int tag;

    private final List<Operation> operations = new ArrayList<>();
    private CollectiveSchedule.State state = CollectiveSchedule.State.WAITING;
    private ErrorClass failure = ErrorClass.SUCCESS;
    /** Compares this rank's description with those of its partners; null for an operation without a description. */
    private DescribedEdges edges;

    private boolean advancing;
    /**
     * Whether a thread runs a piece of local work, in an operation that has a {@link #listener}: until the piece is
     * done the buffers belong to the operation.
     */
    private boolean isAtWork;
    /** What a step of local work threw, in an operation that has a {@link #listener}; null if it threw nothing. */
    private Throwable thrown;
    /** Waits to be advanced. */
    boolean isReady;

    /** A run that is to be set. */
    ScheduleRun(ScheduleRuns runs) {
        this.runs = runs;
    }

    /** Sets the operation, which is the first of this run, or follows one after which {@link #isReusable} holds. */
    ScheduleRun set(
            MessageContext newCommunicator,
            CollectiveSchedule newSchedule,
            String newOperation,
            long newSequence,
            int newTag,
            Listener newListener) {
        communicator = newCommunicator;
        schedule = newSchedule;
        operation = newOperation;
        sequence = newSequence;
        listener = newListener;
        tag = newTag;
        state = CollectiveSchedule.State.WAITING;
        return this;
    }

    /**
     * Whether the run may be set for another operation: it has succeeded, so that all its messages are over and their
     * objects given back, no step of it is due or at work, and it waits in no queue. No event of the earlier operation
     * reaches the run any more. A run that failed may still be told of the ends of its messages, and is never set
     * again.
     */
    boolean isReusable() {
        return state == CollectiveSchedule.State.DONE && failure == ErrorClass.SUCCESS && edges == null && !isReady;
    }

    /**
     * Lets go of an operation that has succeeded: of its schedule with the program's buffers, its listener and its
     * communicator. A run that still waits to be advanced has nothing left to do.
     */
    void letGo() {
        communicator = null;
        schedule = null;
        listener = null;
    }

    /** Makes this the run of an operation with a description, before it begins. */
    void beDescribed(DescribedEdges itsEdges) {
        edges = itsEdges;
    }

    /** Sends the first messages of the operation. */
    void begin() {
        if (edges != null) {
            edges.open();
        }
        advance();
    }

    /** Whether the run has a listener, and so no thread waits for this run in particular. */
    boolean isWithoutOwner() {
        return listener != null;
    }

    long sequence() {
        return sequence;
    }

    @Override
    public MessageContext communicator() {
        return communicator;
    }

    @Override
    public String operation() {
        return operation;
    }

    /** Returns the error that the program is to be told of, if the run has failed. */
    CallError fault(CallErrors errors) {
        return edges != null && edges.isContradicted()
                ? edges.fault(errors)
                : errors.ofCollective(communicator, operation, failure);
    }

    /** The error of the run; {@link ErrorClass#SUCCESS} unless it failed. */
    ErrorClass failure() {
        return failure;
    }

    boolean hasDueStep() {
        return failure == ErrorClass.SUCCESS && state == CollectiveSchedule.State.STEP_DUE;
    }

    /**
     * Whether the run is over, or stands still at a step of local work. If a thread waits for the run, that thread then
     * has something to do.
     */
    @Override
    public boolean isDone() {
        return failure != ErrorClass.SUCCESS || state != CollectiveSchedule.State.WAITING;
    }

    /** Advances the schedule as far as possible, but not beyond a step of local work that waits for a thread. */
    void advance() {
        if (isDone()) {
            return;
        }
        advancing = true;
        try {
            state = schedule.advance(this);
        } finally {
            advancing = false;
            if (failure != ErrorClass.SUCCESS) {
                tellEnd();
            }
        }
        if (state == CollectiveSchedule.State.DONE && edges != null && !edges.areSettled()) {
            state = CollectiveSchedule.State.WAITING;
        }
        if (failure != ErrorClass.SUCCESS) {
            return;
        }
        if (state == CollectiveSchedule.State.DONE) {
            runs.release(operations);
            runs.end(this);
            tellEnd();
        } else if (state == CollectiveSchedule.State.STEP_DUE && listener != null) {
            runs.steps().add(this);
        }
    }

    private void tellEnd() {
        if (edges != null) {
            edges.close();
        }
        if (listener != null) {
            listener.onEnd(failure, thrown);
        }
    }

    /**
     * Runs the step of {@link CollectiveSchedule.State#STEP_DUE} on the thread that waits for this run, without the
     * engine lock.
     */
    void runDueStep() {
        schedule.runDueStep();
    }

    void onStepDone() {
        if (state == CollectiveSchedule.State.STEP_DUE) {
            state = CollectiveSchedule.State.WAITING;
        }
        advance();
    }

    @Override
    public boolean callsProgram() {
        return schedule.callsProgram();
    }

    @Override
    public void beginWork() {
        isAtWork = true;
    }

    @Override
    public void runPiece(int mostBytes) {
        schedule.runPiece(mostBytes);
    }

    /**
     * Notes that a piece of a step has ended. If the operation has failed meanwhile, its end is told only now: until
     * now the piece may have written to the buffers of the program.
     */
    @Override
    public void endWork(Throwable itsError) {
        isAtWork = false;
        thrown = itsError;
        if (failure != ErrorClass.SUCCESS) {
            tellEnd();
        } else if (itsError != null) {
            fail(ErrorClass.OTHER);
        } else if (schedule.isStepDue()) {
            runs.steps().add(this);
        } else {
            onStepDone();
        }
    }

    @Override
    public void onOperationDone(Operation done) {
        if (failure != ErrorClass.SUCCESS) {
            return;
        }
        if (done.error() != ErrorClass.SUCCESS) {
            fail(done.error());
        } else if (!advancing) {
            runs.ready(this);
        }
    }

    /** Lets the run be advanced, after all partners have said that they are in the same operation. */
    void onHeard() {
        if (failure == ErrorClass.SUCCESS) {
            runs.ready(this);
        }
    }

    /**
     * Ends the run with an error: its messages let go of its buffers at once. The listener is told of the end when no
     * thread is in the middle of the schedule, whose local work may use the buffers until then.
     */
    void fail(ErrorClass error) {
        if (failure != ErrorClass.SUCCESS) {
            return;
        }
        failure = error;
        runs.end(this);
        runs.steps().remove(this);
        for (Operation operationOfIt : operations) {
            if (!operationOfIt.isDone()) {
                operationOfIt.cutShort(error);
            }
        }
        if (!isAtWork && !advancing) {
            tellEnd();
        }
    }

    @Override
    public int rank() {
        return communicator.rank();
    }

    @Override
    public int size() {
        return communicator.members().size();
    }

    @Override
    public Completion send(int peer, ByteBuffer data, int offset, int lengthBytes) {
        return failure != ErrorClass.SUCCESS ? NEVER : keep(runs.startSend(this, tag, peer, data, offset, lengthBytes));
    }

    @Override
    public Completion receive(int peer, ByteBuffer data, int offset, int lengthBytes) {
        return failure != ErrorClass.SUCCESS
                ? NEVER
                : keep(runs.startReceive(this, tag, peer, data, offset, lengthBytes));
    }

    /** Sends a partner the description of the operation that this rank is in. */
    Operation describe(int partner, long description) {
        return keep(runs.startDescription(this, tag, partner, description));
    }

    private Operation keep(Operation started) {
        operations.add(started);
        return started;
    }

    @Override
    public void explain(WaitNotes notes) {
        notes.collective(communicator, operation, sequence, awaitedRanks());
    }

    /** The ranks from or to which this run awaits the end of a message. */
    public List<Integer> awaitedRanks() {
        List<Integer> ranks = new ArrayList<>();
        for (Operation open : operations) {
            if (!open.isDone()) {
                ranks.add(open.namedPeer());
            }
        }
        if (edges != null) {
            edges.addMissing(ranks);
        }
        return ranks;
    }

    /**
     * Describes the run for reports of waits: {@code allReduce on COMM_WORLD (4 ranks), operation 7 there; open:
     * allReduce (receiving from rank 1)}.
     */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(operation)
                .append(" on ")
                .append(communicator)
                .append(", operation ")
                .append(sequence)
                .append(" there");
        String separator = "; open: ";
        for (Operation open : operations) {
            if (!open.isDone()) {
                text.append(separator).append(open.describe());
                separator = ", ";
            }
        }
        return text.toString();
    }
}
