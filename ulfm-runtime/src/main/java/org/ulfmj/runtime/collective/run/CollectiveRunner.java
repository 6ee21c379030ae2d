package org.ulfmj.runtime.collective.run;

import org.ulfmj.runtime.collective.CollectiveSchedule;
import org.ulfmj.runtime.error.ErrorClass;
import org.ulfmj.runtime.progress.Engine;
import org.ulfmj.runtime.progress.Progress;
import org.ulfmj.runtime.transfer.CallErrors;
import org.ulfmj.runtime.transfer.MessageContext;

/** Runs collective operations to their end on the calling thread. Called inside the engine. */
public final class CollectiveRunner {
    /** Revokes a communicator, which makes it useless at every member. */
    public interface Revoker {
        void revoke(MessageContext communicator);
    }

    private final Engine engine;
    private final Progress progress;
    private final ScheduleRuns runs;
    private final CallErrors errors;
    private final Revoker revoker;

    public CollectiveRunner(Engine engine, Progress progress, ScheduleRuns runs, CallErrors errors, Revoker revoker) {
        this.engine = engine;
        this.progress = progress;
        this.runs = runs;
        this.errors = errors;
        this.revoker = revoker;
    }

    /** Runs an operation to its end. Returns the number that the operation had on its communicator. */
    public long run(MessageContext communicator, CollectiveSchedule schedule, String operation) {
        long sequence = communicator.collectiveSequence();
        perform(communicator, null, schedule, operation, 0);
        return sequence;
    }

    /** As the other {@code run}, with the objects of {@code kept}, which nothing else uses. */
    public void run(MessageContext communicator, KeptCall kept, CollectiveSchedule schedule, String operation) {
        perform(communicator, kept, schedule, operation, 0);
    }

    /**
     * As {@link #run}, for an operation with a description. The operation fails at this rank if a member turns out to
     * be in another operation.
     *
     * @param schedule {@linkplain CollectiveSchedule#prepareWhole prepared} with all messages, also those of no bytes
     * @param description not 0
     */
    public void runDescribed(
            MessageContext communicator, CollectiveSchedule schedule, String operation, long description) {
        perform(communicator, null, schedule, operation, description);
    }

    /**
     * Runs a schedule that all members carry out before the collective operation which they are about to begin. Returns
     * how it ended.
     *
     * @param tag the tag of its messages
     */
    public ErrorClass runBefore(MessageContext communicator, CollectiveSchedule schedule, String operation, int tag) {
        ScheduleRun run = runs.beginBefore(communicator, schedule, operation, tag);
        progress.await(run);
        return run.failure();
    }

    /**
     * Runs an operation to its end. If an error ends it that the other members do not learn of by themselves, the
     * communicator is revoked.
     */
    private void perform(
            MessageContext communicator,
            KeptCall kept,
            CollectiveSchedule schedule,
            String operation,
            long description) {
        ScheduleRun run;
        boolean isOver = false;
        try {
            run = begin(communicator, kept, schedule, operation, description);
            progress.await(run);
            while (run.hasDueStep()) {
                runDueStep(run);
                progress.await(run);
            }
            isOver = true;
        } finally {
            if (!isOver) {
                leaveInTheMiddle(communicator);
            }
        }
        if (run.failure() != ErrorClass.SUCCESS) {
            throw run.fault(errors);
        }
    }

    private ScheduleRun begin(
            MessageContext communicator,
            KeptCall kept,
            CollectiveSchedule schedule,
            String operation,
            long description) {
        if (description != 0) {
            return runs.beginDescribed(communicator, schedule, operation, description);
        }
        return kept == null
                ? runs.begin(communicator, schedule, operation)
                : kept.begin(communicator, schedule, operation, null);
    }

    /**
     * Runs a step of local work that only the thread of the call may run. It runs without the engine lock, because it
     * may take long, or call code of the program that may call MPI.
     */
    private void runDueStep(ScheduleRun run) {
        engine.leave();
        try {
            run.runDueStep();
        } finally {
            engine.lock().lock();
        }
        engine.checkRunning();
        run.onStepDone();
    }

    /**
     * Revokes the communicator after this rank has left a collective operation by an error that the other members do
     * not learn of: they would wait for its part for ever. A revocation needs no other rank's help and leaves all
     * members in one state: each rank that is in the operation, or comes to it later, is told. A rank that cannot even
     * revoke, perhaps because its stack is full, ends, and the others learn of that.
     */
    public void leaveInTheMiddle(MessageContext communicator) {
        if (engine.isOver()) {
            return;
        }
        try {
            revoker.revoke(communicator);
        } catch (RuntimeException | Error e) {
            if (!engine.isOver()) {
                engine.breakDown(e);
            }
            throw e;
        }
    }
}
