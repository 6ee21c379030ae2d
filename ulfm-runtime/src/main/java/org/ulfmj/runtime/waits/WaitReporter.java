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
 * Tells what the threads of a rank wait for, by its engine and their stacks. Any thread; takes the engine lock, but
 * waits for it a second at most.
 */
public final class WaitReporter {
    /** What the report says of a rank besides its waits. Called under the engine lock. */
    public interface Rank {
        /** For how long the program has not called MPI, at the last {@link Engine#watchCalls}. */
        CallWatch calls();

        /** How many frames and messages are held for what does not exist here yet. */
        int heldMessages();

        /** How many messages have arrived whose receive has not been posted. */
        int unreceived();

        /** The processes that are marked failed, in order. */
        List<ProcessId> failed();

        /** Whether the rank does its part for others although no thread of it is in a call. */
        boolean worksInBackground();
    }

    private final Engine engine;
    private final Progress progress;
    private final Rank rank;
    /** The program's main thread; null if it is not known. */
    private final Thread main;

    public WaitReporter(Engine engine, Progress progress, Rank rank, Thread main) {
        this.engine = engine;
        this.progress = progress;
        this.rank = rank;
        this.main = main;
    }

    /**
     * Whether a thread of the program waits in a call now. True also if the engine's lock is not free within a second.
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

    /** What the threads of this rank wait for; null if its engine has been locked for a second. */
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

    /** As {@link #report}, in lines for people. */
    public String describe() {
        WaitReport report = report();
        RankView view = report == null
                ? RankView.silent(engine.id().slot(), "is busy: its engine has been locked for a second")
                : RankView.of(report);
        return String.join("\n", WaitPage.of(List.of(view))) + "\n";
    }

    /**
     * Takes the engine lock if that is possible within a second: a report must not hang with the rank that it
     * describes.
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

    /** Returns what the main thread does when it does not wait in MPI. */
    private Activity activity() {
        if (main == null) {
            return new Activity(Activity.Kind.COMPUTES, rank.calls().quietNs(), "", "");
        }
        // The state is read before the stack: a thread that goes on meanwhile is at worst taken for one that runs.
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
