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
        ScheduleRun run = engine.runs().begin(communicator, schedule, operation);
        engine.progress().await(run);
        while (run.wantsUserStep()) {
            runUserStep(run);
            engine.progress().await(run);
        }
        if (run.failure() != ErrorClass.SUCCESS) {
            throw engine.faults().ofCollective(communicator, operation, run.failure());
        }
        return sequence;
    }

    /** The step may call the program's code, which may call MPI, or take long: the lock is let go for it. */
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
            }
        }
        engine.checkRunning();
        run.onUserStepDone();
    }

    /** A collective call that needs no message: counted, and checked by the same rules. Returns its number. */
    long enterWithoutMessages(CommunicatorState communicator, String operation) {
        long sequence = communicator.collectiveSequence++;
        ErrorClass verdict = ScheduleRuns.verdict(communicator);
        if (verdict != ErrorClass.SUCCESS) {
            throw engine.faults().ofCollective(communicator, operation, verdict);
        }
        return sequence;
    }
}
