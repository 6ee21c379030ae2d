package org.ulfmj.runtime;

import org.ulfmj.runtime.collective.Schedule;

/** Runs collective operations to their end on the calling thread. Called inside the engine. */
final class Collectives {
    private final RankEngine engine;

    Collectives(RankEngine engine) {
        this.engine = engine;
    }

    /** Returns the number that the operation had on its communicator. */
    long run(CommunicatorState communicator, Schedule schedule, String operation) {
        long sequence = communicator.collectiveSequence;
        end(engine.runs().begin(communicator, schedule, operation));
        return sequence;
    }

    /**
     * The same for an operation that all members say something of, and that fails if they do not say the same.
     *
     * @param schedule {@linkplain Schedule#prepareWhole prepared} as a whole
     * @param description not 0
     */
    void runDescribed(CommunicatorState communicator, Schedule schedule, String operation, long description) {
        end(engine.runs().beginDescribed(communicator, schedule, operation, description));
    }

    private void end(ScheduleRun run) {
        engine.progress().await(run);
        while (run.wantsUserStep()) {
            runUserStep(run);
            engine.progress().await(run);
        }
        if (run.failure() != ErrorClass.SUCCESS) {
            throw run.fault(engine.faults());
        }
    }

    /**
     * The step may call the program's code, which may call MPI, or take long: the lock is let go for it. If it throws, the
     * others' results lack this rank's part, and would for ever. Of all that could be done about it revoking is the one
     * thing that needs nobody's help and leaves all members in one state: whoever is in the operation, or comes later,
     * is told.
     */
    private void runUserStep(ScheduleRun run) {
        boolean completed = false;
        engine.leave();
        try {
            run.runUserStep();
            completed = true;
        } finally {
            engine.lock().lock();
            if (!completed) {
                run.fail(ErrorClass.OTHER);
                if (!engine.isOver()) {
                    engine.control().revoke(run.communicator);
                }
            }
        }
        engine.checkRunning();
        run.onUserStepDone();
    }
}
