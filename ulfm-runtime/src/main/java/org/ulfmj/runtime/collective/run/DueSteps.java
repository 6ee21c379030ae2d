package org.ulfmj.runtime.collective.run;

import java.util.ArrayDeque;
import java.util.ArrayList;
import org.ulfmj.runtime.progress.Engine;

/**
 * Steps of local work that are due, mostly in non-blocking collective operations: long copies and combinations, and
 * combinations by operators of the program. Any thread of the rank that drives the engine may run a step of the
 * library, also the progress thread. A step that calls code of the program is left to a thread of the program that is
 * inside a call.
 *
 * <p>A step runs without the engine lock, in pieces (a combination by an operator of the program is one piece): between
 * two of them the caller polls, so that heartbeats go out and waits end. One thread at a time runs the steps of one
 * operation. Everything else is under the engine lock.
 */
public final class DueSteps {
    /**
     * About how many bytes a piece of a step of a {@link ScheduleRun} works on at most, unless it calls an operator of
     * the program.
     */
    static final int PIECE_BYTES = 256 * 1024;

    /**
     * The most due steps with operators of the program that run at a time. An operator that calls MPI may run others
     * inside its call, and those again others: without a bound, many operations that are due at once would use up a
     * thread's stack.
     */
    public static final int MOST_OF_PROGRAM = 32;

    private final ArrayDeque<DueStep> ofLibrary = new ArrayDeque<>();
    private final ArrayDeque<DueStep> ofProgram = new ArrayDeque<>();
    /** Whether one of the queues has a step. A thread that waits asks this each time it looks. */
    private boolean isAnyQueued;
    /** The threads that run steps with operators of the program now, once for each step. */
    private final ArrayList<Thread> programRuns = new ArrayList<>();

    /** Adds a step of local work that is due. */
    public void add(DueStep run) {
        (run.callsProgram() ? ofProgram : ofLibrary).addLast(run);
        isAnyQueued = true;
    }

    /**
     * Whether a step is due that may run now.
     *
     * @param alsoOfProgram whether steps that call code of the program count
     */
    public boolean has(boolean alsoOfProgram) {
        return isAnyQueued && mayRun(alsoOfProgram);
    }

    private boolean mayRun(boolean alsoOfProgram) {
        return !ofLibrary.isEmpty() || alsoOfProgram && !ofProgram.isEmpty() && programRuns.size() < MOST_OF_PROGRAM;
    }

    /**
     * Runs one piece of a step, if one is due. The engine lock is released meanwhile.
     *
     * @param alsoOfProgram whether steps that call code of the program may run too
     * @param runner revokes the communicator of a step that throws
     */
    public void runNext(boolean alsoOfProgram, Engine engine, CollectiveRunner runner) {
        if (!ofLibrary.isEmpty()) {
            runPiece(next(ofLibrary), engine, runner);
        } else if (has(alsoOfProgram)) {
            Thread thread = Thread.currentThread();
            programRuns.add(thread);
            try {
                runPiece(next(ofProgram), engine, runner);
            } finally {
                programRuns.remove(programRuns.lastIndexOf(thread));
            }
        }
    }

    /** Whether an operator of the program runs now in one of these steps. */
    public boolean runsProgram() {
        return !programRuns.isEmpty();
    }

    /** Whether a step with an operator of the program is due that may not run, since too many run now. */
    public boolean isFull() {
        return isAnyQueued && programRuns.size() >= MOST_OF_PROGRAM && !ofProgram.isEmpty();
    }

    /**
     * Whether a wait for the operation that has this step will never end: the step is due, and may not run before an
     * operator of the program ends, while all such operators are on the stack of the thread that waits.
     */
    public boolean isNeverRun(Object step, Thread waiter) {
        if (!isFull() || !ofProgram.contains(step)) {
            return false;
        }
        for (Thread each : programRuns) {
            if (each != waiter) {
                return false;
            }
        }
        return true;
    }

    /** Removes an operation that has failed: none of its steps is run any more. */
    public void remove(DueStep run) {
        ofLibrary.remove(run);
        ofProgram.remove(run);
        noteQueued();
    }

    private DueStep next(ArrayDeque<DueStep> queue) {
        DueStep run = queue.pollFirst();
        noteQueued();
        return run;
    }

    private void noteQueued() {
        isAnyQueued = !ofLibrary.isEmpty() || !ofProgram.isEmpty();
    }

    private static void runPiece(DueStep run, Engine engine, CollectiveRunner runner) {
        Throwable thrown = null;
        run.beginWork();
        engine.lock().unlock();
        try {
            run.runPiece(PIECE_BYTES);
            engine.onPiece();
        } catch (Throwable e) {
            thrown = e;
        } finally {
            engine.lock().lock();
        }
        if (engine.isOver()) {
            return; // and so are all its operations
        }
        run.endWork(thrown);
        if (thrown != null) {
            // The other members would wait for this rank's part, so the communicator is revoked.
            runner.leaveInTheMiddle(run.communicator());
        }
    }
}
