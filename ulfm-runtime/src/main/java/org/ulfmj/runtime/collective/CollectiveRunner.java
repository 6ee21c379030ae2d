package org.ulfmj.runtime.collective;

import org.ulfmj.runtime.error.ErrorClass;
import org.ulfmj.runtime.progress.Engine;
import org.ulfmj.runtime.progress.Progress;
import org.ulfmj.runtime.transfer.CallErrors;
import org.ulfmj.runtime.transfer.MessageContext;

/** Runs collective operations to their end on the calling thread. Called inside the engine. */
public final class CollectiveRunner {
    /** What can make a communicator useless at every member. */
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

    /** Returns the number that the operation had on its communicator. */
    public long run(MessageContext communicator, CollectiveSchedule schedule, String operation) {
        long sequence = communicator.collectiveSequence();
        perform(communicator, schedule, operation, 0);
        return sequence;
    }

    /**
     * The same for an operation that all members say something of, and that fails if they do not say the same.
     *
     * @param schedule {@linkplain CollectiveSchedule#prepareWhole prepared} as a whole
     * @param description not 0
     */
    public void runDescribed(
            MessageContext communicator, CollectiveSchedule schedule, String operation, long description) {
        perform(communicator, schedule, operation, description);
    }

    /**
     * Runs something that all members do before the operation which they are about to begin. Returns how it ended.
     *
     * @param tag of its messages
     */
    public ErrorClass runBefore(MessageContext communicator, CollectiveSchedule schedule, String operation, int tag) {
        ScheduleRun run = runs.beginBefore(communicator, schedule, operation, tag);
        progress.await(run);
        return run.failure();
    }

    /** If anything ends it but its own result or failure, the other members are told. */
    private void perform(MessageContext communicator, CollectiveSchedule schedule, String operation, long description) {
        ScheduleRun run;
        boolean isOver = false;
        try {
            run = description == 0
                    ? runs.begin(communicator, schedule, operation)
                    : runs.beginDescribed(communicator, schedule, operation, description);
            progress.await(run);
            while (run.wantsUserStep()) {
                runUserStep(run);
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

    /** The step may call the program's code, which may call MPI, or take long: the lock is let go for it. */
    private void runUserStep(ScheduleRun run) {
        engine.leave();
        try {
            run.runUserStep();
        } finally {
            engine.lock().lock();
        }
        engine.checkRunning();
        run.onUserStepDone();
    }

    /**
     * This rank is out of an operation of all members, by an error that they do not hear of: their results lack its
     * part, and would for ever. Of all that could be done about it revoking is the one thing that needs no rank's help
     * and leaves all members in one state: any rank that is in the operation, or comes later, is told. A rank that
     * cannot do even that, perhaps since its stack is full, ends, and they hear of that.
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
