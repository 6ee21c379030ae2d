package org.ulfmj.runtime.waits;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.runtime.error.ProgramStack;
import org.ulfmj.runtime.progress.CallWatch;
import org.ulfmj.runtime.progress.Engine;
import org.ulfmj.runtime.progress.Progress;

/**
 * Makes the report of a rank on what its threads wait for, from its engine and its threads' stacks. Any thread may
 * call; it takes the engine lock, but waits for the lock a second at most.
 */
public final class WaitReporter {
    /** The content of a report about a rank besides its waits. Methods are called under the engine lock. */
    public interface Rank {
        /** Returns for how long the program has not called MPI, as of the last {@link Engine#watchCalls}. */
        CallWatch calls();

        /** Returns how many frames and messages are held for communicators that do not exist at this rank yet. */
        int heldMessages();

        /** Returns how many messages have arrived that neither a receive nor a matched probe has taken yet. */
        int unreceived();

        /** Returns the processes that are marked failed, in the order in which they were marked. */
        List<ProcessId> failed();

        /**
         * Whether a non-blocking collective operation of the rank is under way that no operator of the program holds
         * up, or messages are still to leave or to be copied: these go on even if no thread of the rank is in a call.
         */
        boolean worksInBackground();
    }

    private final Engine engine;
    private final Progress progress;
    private final Rank rank;
    /** The thread that called Init; null if it is not known. */
    private final Thread main;

    public WaitReporter(Engine engine, Progress progress, Rank rank, Thread main) {
        this.engine = engine;
        this.progress = progress;
        this.rank = rank;
        this.main = main;
    }

    /**
     * Whether a thread of the program waits in an MPI call now. True also if the engine lock could not be had within a
     * second, or the calling thread was interrupted.
     */
    public boolean isAnyWaiting() {
        if (!tryLock()) {
            return true;
        }
        try {
            return progress.isWaitedIn();
        } finally {
            engine.lock().unlock();
        }
    }

    /**
     * Returns the report on what the threads of this rank wait for; null if the engine lock could not be had within a
     * second, or the calling thread was interrupted.
     */
    public WaitReport report() {
        if (!tryLock()) {
            return null;
        }
        try {
            return reportLocked();
        } finally {
            engine.lock().unlock();
        }
    }

    /** Returns the {@link #report} in lines for people; where there is none, a line that says that the rank is busy. */
    public String describe() {
        WaitReport report = report();
        RankView view = report == null
                ? RankView.silent(engine.id().slot(), "is busy: its engine has been locked for a second")
                : RankView.of(report);
        return String.join("\n", WaitPage.of(List.of(view))) + "\n";
    }

    /**
     * Takes the engine lock if that is possible within a second: making a report must not hang together with the rank
     * that it describes.
     */
    private boolean tryLock() {
        try {
            return engine.lock().tryLock(1, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private WaitReport reportLocked() {
        engine.watchCalls();
        List<Progress.WaitingThread> waiting = progress.waits();
        List<Wait> waits = new ArrayList<>();
        boolean mainWaits = false;
        for (Progress.WaitingThread one : waiting) {
            if (one.thread() == main) {
                mainWaits = true;
                waits.add(0, wait(one, ""));
            } else if (waits.size() < WaitReport.MOST_WAITS) {
                waits.add(wait(one, one.thread().getName()));
            }
        }
        if (waits.size() > WaitReport.MOST_WAITS) {
            waits.remove(waits.size() - 1);
        }
        return new WaitReport(
                engine.id(),
                mainWaits || main == null && !waits.isEmpty()
                        ? new Activity(Activity.Kind.WAITS, waits.get(0).forNs(), "", "")
                        : activity(),
                waits,
                waiting.size() - waits.size(),
                rank.heldMessages(),
                rank.unreceived(),
                failed(),
                new Stillness(rank.calls().quietNs(), rank.calls().idleNs(), rank.worksInBackground()));
    }

    private Wait wait(Progress.WaitingThread waiting, String name) {
        WaitNotes notes = new WaitNotes();
        if (waiting.completion() instanceof NamedWait named) {
            named.explain(notes);
        } else {
            notes.other(waiting.completion().toString());
        }
        ProgramStack stack = new ProgramStack(waiting.thread().getStackTrace());
        return notes.toWait(name, engine.nowNs() - waiting.sinceNs(), stack.call(), stack.site());
    }

    /**
     * Returns what the main thread does when it does not wait in MPI. If the main thread is not known, it counts as
     * computing.
     */
    private Activity activity() {
        if (main == null) {
            return new Activity(Activity.Kind.COMPUTES, rank.calls().quietNs(), "", "");
        }
        // The thread's state is read before its stack, and the thread may go on in between.
        Thread.State state = main.getState();
        ProgramStack stack = new ProgramStack(main.getStackTrace());
        if (state == Thread.State.TERMINATED) {
            return new Activity(Activity.Kind.ENDED, 0, "", "");
        }
        if (!stack.call().isEmpty()) {
            Activity.Kind kind = stack.runsProgram() ? Activity.Kind.IN_OPERATOR : Activity.Kind.IN_CALL;
            return new Activity(kind, 0, stack.call(), stack.site());
        }
        Activity.Kind kind = state == Thread.State.RUNNABLE ? Activity.Kind.COMPUTES : Activity.Kind.BLOCKED;
        return new Activity(kind, rank.calls().quietNs(), "", stack.site());
    }

    private List<Integer> failed() {
        List<Integer> slots = new ArrayList<>();
        for (ProcessId failed : rank.failed()) {
            if (slots.size() < WaitReport.MOST_FAILED) {
                slots.add(failed.slot());
            }
        }
        slots.sort(null);
        return slots;
    }
}
