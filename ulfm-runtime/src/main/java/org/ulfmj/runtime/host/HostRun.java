package org.ulfmj.runtime.host;

import java.util.ArrayList;
import java.util.List;
import org.ulfmj.runtime.collective.CollectiveSchedule;
import org.ulfmj.runtime.collective.run.ScheduleRun;
import org.ulfmj.runtime.error.ErrorClass;
import org.ulfmj.runtime.progress.Engine;
import org.ulfmj.runtime.progress.SeenInMemory;
import org.ulfmj.runtime.waits.NamedWait;
import org.ulfmj.runtime.waits.WaitNotes;

/**
 * One non-blocking collective operation through a {@link HostWindow}: a state machine that never waits. It is begun
 * when its slot is free, and goes on with each look at the flags of the other ranks. Under the engine lock, but
 * {@link #mayGoOn} and the pieces of long work ({@link LongRun#runPiece}).
 */
abstract class HostRun implements NamedWait, SeenInMemory {
    final HostQueue queue;
    final int ranks;
    HostArguments arguments;
    /** The number of the operation on its communicator. */
    long sequence;

    long call;
    /** The number of the call in its queue, from 0. */
    long count;

    ScheduleRun.Listener listener;
    /** The operation in the form for messages; null if none was given or it has begun in shared memory. */
    CollectiveSchedule byMessages;
    /** The run of the operation by messages, if it went that way after it had been put off; else null. */
    ScheduleRun asMessages;
    /**
     * The window through which the operation goes, once that is known; {@link #number} is the operation's number there.
     */
    HostWindow window;

    long number;
    /** Whether it has not begun. */
    boolean isPutOff = true;

    private boolean isOver;
    /** All ranks below this one are known to have shown the wave of flags that this rank awaits. */
    private int cursor;

    HostRun(HostQueue queue) {
        this.queue = queue;
        this.ranks = queue.communicator.members().size();
    }

    /** Sets the operation that this object carries out; to be called once, or after the operation before is over. */
    void set(HostArguments newArguments, long newCount, long newSequence, ScheduleRun.Listener newListener) {
        if (arguments != newArguments) { // a store of a reference also marks memory for the collector
            arguments = newArguments;
        }
        if (listener != newListener) {
            listener = newListener;
        }
        call = newArguments.call(ranks);
        count = newCount;
        sequence = newSequence;
        isPutOff = true;
        isOver = false;
        cursor = 0;
    }

    /** Begins this rank's work for the operation, whose slot is free. */
    abstract void begin();

    /**
     * Goes on with the operation, by one wave at most, if the flags of the other ranks allow it. Returns whether it
     * went on or ended.
     */
    abstract boolean look();

    /** The wave of flags that this rank awaits; -1 for none. */
    abstract int awaitedWave();

    /** Whether the operation can go on now. Also called without the engine lock, by a thread that is about to sleep. */
    @Override
    public boolean mayGoOn() {
        if (isPutOff) {
            return queue.mayBeginNow(this); // of such an operation no thread asks without the lock
        }
        int wave = awaitedWave();
        return wave >= 0 && firstMissing(cursor, wave) == ranks;
    }

    @Override
    public void onSeen(boolean isAwaited) {
        queue.goOn(this, isAwaited);
    }

    /** Whether all ranks for which this rank waits have shown the wave. */
    final boolean isThere(int wave) {
        cursor = firstMissing(cursor, wave);
        if (cursor < ranks) {
            return false;
        }
        cursor = 0;
        return true;
    }

    private int firstMissing(int from, int wave) {
        if (isAwaitingRoot()) {
            return window.hasShown(arguments.root(), number, wave) ? ranks : 0;
        }
        int rank = from;
        while (rank < ranks && window.hasShown(rank, number, wave)) {
            rank++;
        }
        return rank;
    }

    /** Whether this rank waits for the root only, as in a broadcast the ranks that receive do. */
    final boolean isAwaitingRoot() {
        return arguments.kind() == HostCall.BCAST && !isRoot();
    }

    final boolean isRoot() {
        return window.rank() == arguments.root();
    }

    /**
     * Whether a rank whose flag was seen is in another call. Then the program is wrong, and all operations of the queue
     * end.
     */
    final boolean isInAnother() {
        return isSpoiltBy(difference());
    }

    private boolean isSpoiltBy(String difference) {
        if (difference == null) {
            return false;
        }
        queue.spoil(difference);
        return true;
    }

    /** Returns what is wrong if a rank whose flag was seen is in another call; else null. */
    final String difference() {
        for (int other = 0; other < ranks; other++) {
            if (other != window.rank() && (!isAwaitingRoot() || other == arguments.root())) {
                String difference = window.difference(this, other);
                if (difference != null) {
                    return difference;
                }
            }
        }
        return null;
    }

    /** Whether a rank whose flags this rank awaits is in another call. Then all operations of the queue end. */
    final boolean isAwaitingAnother() {
        int wave = awaitedWave();
        for (int other = 0; other < ranks && wave >= 0; other++) {
            boolean isAwaited = !isAwaitingRoot() || other == arguments.root();
            if (isAwaited && !window.hasShown(other, number, wave) && isSpoiltBy(window.elsewhere(this, other))) {
                return true;
            }
        }
        return false;
    }

    /** Whether any other rank is in another call. Then all operations of the queue end. */
    final boolean isAnyElsewhere() {
        return isSpoiltBy(elsewhere());
    }

    /** Returns what is wrong if any other rank is in another call; else null. */
    final String elsewhere() {
        for (int other = 0; other < ranks; other++) {
            String difference = other == window.rank() ? null : window.elsewhere(this, other);
            if (difference != null) {
                return difference;
            }
        }
        return null;
    }

    final boolean isOver() {
        return isOver;
    }

    /**
     * Ends the operation, in which this rank waits for no other rank any more, with its normal result. If another rank
     * is in another call, all operations of the queue end with an error instead.
     */
    final void succeedUnlessAlone() {
        if (!isAnyElsewhere()) {
            succeed();
        }
    }

    /** Ends the operation with its normal result inside the call that starts it, when it has no listener yet. */
    final void succeedAtOnce(Engine engine) {
        isOver = true;
        if (window.end(this)) {
            engine.ringOnLeave(window.sleepers());
        }
    }

    /** The operation has its normal result. */
    final void succeed() {
        isOver = true;
        if (window.end(this)) {
            window.sleepers().ring();
        }
        queue.remove(this);
        listener.onEnd(ErrorClass.SUCCESS, null);
        queue.giveBack(this);
    }

    /**
     * Ends the operation with an error. If a thread runs a piece of it now, the listener is told of the end when that
     * piece has ended.
     */
    final void fail(ErrorClass error, Throwable thrown) {
        if (isOver) {
            return;
        }
        isOver = true;
        if (byMessages != null) {
            byMessages.discard();
        }
        onFail(error, thrown);
    }

    void onFail(ErrorClass error, Throwable thrown) {
        listener.onEnd(error, thrown);
    }

    @Override
    public boolean isDone() {
        return isOver;
    }

    @Override
    public void explain(WaitNotes notes) {
        if (asMessages != null) {
            asMessages.explain(notes);
            return;
        }
        List<Integer> missing = new ArrayList<>();
        if (isPutOff) {
            queue.addMissing(this, missing);
        } else {
            int wave = awaitedWave();
            for (int rank = 0; rank < ranks && wave >= 0; rank++) {
                if ((!isAwaitingRoot() || rank == arguments.root()) && !window.hasShown(rank, number, wave)) {
                    missing.add(rank);
                }
            }
        }
        notes.collective(queue.communicator, arguments.name(), sequence, missing);
    }

    @Override
    public String toString() {
        return arguments.name() + " on " + queue.communicator + ", operation " + sequence + " there";
    }
}
