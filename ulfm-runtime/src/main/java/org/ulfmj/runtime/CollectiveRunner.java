package org.ulfmj.runtime;

import org.ulfmj.runtime.collective.CollectiveSchedule;
import org.ulfmj.runtime.error.ErrorClass;

/** Runs collective operations to their end on the calling thread. Called inside the engine. */
final class CollectiveRunner {
    private final RankEngine engine;

    CollectiveRunner(RankEngine engine) {
        this.engine = engine;
    }

    /** Returns the number that the operation had on its communicator. */
    long run(CommunicatorState communicator, CollectiveSchedule schedule, String operation) {
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
    void runDescribed(CommunicatorState communicator, CollectiveSchedule schedule, String operation, long description) {
        perform(communicator, schedule, operation, description);
    }

    /** If anything ends it but its own result or failure, the other members are told. */
    private void perform(
            CommunicatorState communicator, CollectiveSchedule schedule, String operation, long description) {
        ScheduleRun run;
        boolean isOver = false;
        try {
            run = description == 0
                    ? engine.runs().begin(communicator, schedule, operation)
                    : engine.runs().beginDescribed(communicator, schedule, operation, description);
            engine.progress().await(run);
            while (run.wantsUserStep()) {
                runUserStep(run);
                engine.progress().await(run);
            }
            isOver = true;
        } finally {
            if (!isOver) {
                leaveInTheMiddle(engine, communicator);
            }
        }
        if (run.failure() != ErrorClass.SUCCESS) {
            throw run.fault(engine.errors());
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
    static void leaveInTheMiddle(RankEngine engine, CommunicatorState communicator) {
        if (engine.isOver()) {
            return;
        }
        try {
            engine.control().revoke(communicator);
        } catch (RuntimeException | Error e) {
            if (!engine.isOver()) {
                engine.breakDown(e);
            }
            throw e;
        }
    }
}
