package org.ulfmj.runtime.transfer;

import java.util.ArrayDeque;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.runtime.error.CallError;
import org.ulfmj.runtime.error.ErrorClass;
import org.ulfmj.runtime.progress.Engine;
import org.ulfmj.runtime.progress.Progress;
import org.ulfmj.runtime.progress.SeenInMemory;
import org.ulfmj.runtime.waits.NamedWait;
import org.ulfmj.runtime.waits.WaitNotes;

/**
 * The operations that one call of the program waits for or tests: one, some or all of them. An operation that ends, or
 * is held up by a failure, tells its set. So a check of the set mostly need not go through the operations.
 *
 * <p>A call that holds the engine lock takes the set from the {@link Pool}; {@link #close} releases the lock. So what
 * the caller reads between the two belongs to one moment, unless it waits in between. An operation that has not ended
 * is in one set at most: two calls that complete the same request would both give its object back, so the second call
 * is refused.
 */
public final class OperationSet implements NamedWait, AutoCloseable {
    /** The pool of reusable sets of one rank. Under the engine lock. */
    public static final class Pool {
        private final Engine engine;
        private final Progress progress;
        private final Traffic traffic;
        private final CallErrors errors;
        private final int mostLooks;
        private final int mostFirstLooks;
        private int looks;
        private int firstLooks;
        private final ArrayDeque<OperationSet> idle = new ArrayDeque<>();

        /**
         * @param crowded whether this host has more ranks than cores: then repeated looks at shared memory are of no
         *     use
         */
        public Pool(Engine engine, Progress progress, Traffic traffic, CallErrors errors, boolean crowded) {
            this.engine = engine;
            this.progress = progress;
            this.traffic = traffic;
            this.errors = errors;
            this.mostLooks = crowded ? LOOKS_WHERE_CROWDED : MOST_LOOKS;
            this.mostFirstLooks = crowded ? LOOKS_WHERE_CROWDED : MOST_FIRST_LOOKS;
            this.looks = mostLooks;
            this.firstLooks = mostFirstLooks;
        }

        /** Returns a set for one call; {@link OperationSet#close} gives it back. */
        public OperationSet take(String call) {
            OperationSet set = idle.isEmpty() ? new OperationSet(this) : idle.pollLast();
            set.begin(call);
            return set;
        }
    }

    /** How often a wait looks at shared memory at most before it polls; fewer times after looks in vain. */
    private static final int MOST_LOOKS = 512;

    private static final int LEAST_LOOKS = 200;
    private static final int LOOKS_WHERE_CROWDED = 1;
    private static final int LOOKS_A_PAUSE = 16;

    /**
     * How often at most a wait for only one operation looks whether that operation can go on, before it looks at all
     * shared memory.
     */
    private static final int MOST_FIRST_LOOKS = 256;

    private static final int LEAST_FIRST_LOOKS = 16;

    private final Pool pool;
    private final Watch watch = new Watch();
    private String call;
    private Operation firstWatched;
    private ProcessId attended;
    private int open;
    private int ended;
    private boolean failed;
    private boolean heldUp;
    private boolean forAll;
    /** The thread that waits. */
    private Thread waiter;
    /**
     * Whether the waiting thread looks at shared memory, which may end operations, each time that it calls the method
     * {@link #isDone}.
     */
    private boolean looks;

    private OperationSet(Pool pool) {
        this.pool = pool;
    }

    private void begin(String newCall) {
        call = newCall;
        attended = null;
        open = 0;
        ended = 0;
        failed = false;
        heldUp = false;
        forAll = false;
    }

    @Override
    public boolean isInOtherHands() {
        return firstWatched != null
                && firstWatched.nextWatched == null
                && firstWatched.progress() instanceof SeenInMemory run
                && run.isAtWork();
    }

    @Override
    public boolean isSeenWithoutPolling() {
        return looks;
    }

    /**
     * Adds an operation, which may have ended already.
     *
     * @throws CallError of class {@link ErrorClass#REQUEST} if it is in a set already
     */
    public void add(Operation operation) {
        if (operation.watcher != null) {
            throw pool.errors.inUse(operation, call, operation.watcher == watch);
        }
        if (operation.done) {
            count(operation);
            return;
        }
        open++;
        operation.watcher = watch;
        operation.nextWatched = firstWatched;
        firstWatched = operation;
        heldUp |= operation.isHeldUp();
        attend(operation.partner());
    }

    /**
     * Lets polls read the partner's link directly for a while. For a row of operations with the same partner that is
     * done once. Does nothing if the partner is null.
     */
    private void attend(ProcessId partner) {
        if (partner != null && !partner.equals(attended)) {
            pool.traffic.fabric().attend(partner);
            attended = partner;
        }
    }

    /**
     * Waits until all operations have ended, or one of them has failed or is held up by a failure.
     *
     * @throws CallError if the wait would never end, because an operator of the program waits in it for another
     *     operator
     */
    public void awaitAll() {
        await(true);
    }

    /**
     * Waits until one operation has ended, or is held up by a failure. Returns at once if the set is empty.
     *
     * @throws CallError if the wait would never end, because an operator of the program waits in it for another
     *     operator
     */
    public void awaitAny() {
        await(false);
    }

    private void await(boolean all) {
        forAll = all;
        waiter = Thread.currentThread();
        if (pool.engine.hasInMemory() && !isDone()) {
            awaitWithLooks();
        } else {
            awaitDone();
        }
        Operation endless = endless();
        waiter = null;
        if (endless != null) {
            throw pool.errors.ofNestedOperators(endless);
        }
    }

    /**
     * Returns an operation because of which this wait would never end: its operator may not run before the operator of
     * the program that waits here returns. Null if there is none, or if the wait has ended.
     */
    private Operation endless() {
        if (!pool.engine.isFullOfOperators() || isOver()) {
            return null;
        }
        Operation found = null;
        for (Operation each = firstWatched; each != null; each = each.nextWatched) {
            boolean isEndless = !each.done && pool.engine.isNeverEnding(each, waiter);
            if (isEndless && found == null) {
                found = each;
            }
            if (!each.done && !isEndless && !forAll) {
                return null;
            }
        }
        return found;
    }

    /**
     * Waits while operations of this rank go through shared memory: looks at that memory for a while, and polls only if
     * the wait has not ended by then.
     */
    private void awaitWithLooks() {
        if (firstWatched.nextWatched == null && isSeenByFirstLooks(firstWatched)) {
            pool.progress.onUnpolledCall();
            lookAgain();
            return;
        }
        looks = true;
        try {
            for (int i = 0; i < pool.looks; i++) {
                if (isDone()) {
                    pool.looks = Math.min(pool.mostLooks, pool.looks + pool.looks / 8 + 1);
                    break;
                }
                if (pool.engine.hasStep(true)) {
                    break;
                }
                if (i % LOOKS_A_PAUSE == LOOKS_A_PAUSE - 1) {
                    Thread.onSpinWait();
                }
            }
            if (isDone()) {
                pool.progress.onUnpolledCall();
                lookAgain();
                return;
            }
            pool.looks = Math.min(pool.mostLooks, Math.max(LEAST_LOOKS, pool.looks / 2));
            pool.engine.beginMemoryWait();
            try {
                awaitDone();
            } finally {
                pool.engine.endMemoryWait();
            }
        } finally {
            looks = false;
        }
    }

    /**
     * Looks several times whether the only operation can go on, if it goes through shared memory, and lets it go on
     * then. Returns true if that has ended the wait.
     */
    private boolean isSeenByFirstLooks(Operation only) {
        int left = pool.firstLooks;
        // If this rank has ended, {@code progress()} is null, and nothing goes on no matter what is in the memory.
        while (--left >= 0 && only.progress() instanceof SeenInMemory run) {
            boolean isAwaited = false;
            while (!run.mayGoOn()) {
                isAwaited = true;
                if (--left <= 0) {
                    pool.firstLooks = Math.min(pool.mostFirstLooks, Math.max(LEAST_FIRST_LOOKS, pool.firstLooks / 2));
                    return false;
                }
                if (left % LOOKS_A_PAUSE == 0) {
                    Thread.onSpinWait();
                }
            }
            pool.engine.goOnInMemory(run, isAwaited);
            if (isOver()) {
                pool.firstLooks = Math.min(pool.mostFirstLooks, pool.firstLooks + pool.firstLooks / 8 + 1);
                return true;
            }
            if (pool.engine.hasStep(true)) {
                return false;
            }
        }
        return false;
    }

    private void awaitDone() {
        do {
            pool.progress.await(this);
            lookAgain();
        } while (!isDone());
    }

    /** Lets the engine work once, without waiting. */
    public void poll() {
        pool.progress.pollOnce();
        pool.engine.checkRunning();
        lookAgain();
    }

    /**
     * Checks again whether an operation is held up: it may have ended since, or another thread may have acknowledged
     * the failure.
     */
    private void lookAgain() {
        heldUp = heldUp && isAnyHeldUp();
    }

    /** Whether no operation was added. */
    public boolean isEmpty() {
        return open + ended == 0;
    }

    /** Whether some operation is not over. */
    public boolean hasOpen() {
        return open > 0;
    }

    /** Whether some operation is over. */
    public boolean hasEnded() {
        return ended > 0;
    }

    /** Whether some operation has failed, or is held up. */
    public boolean isTroubled() {
        return failed || heldUp;
    }

    /** Whether the wait by this set has ended or can never end. May first look at shared memory, which may end it. */
    @Override
    public boolean isDone() {
        if (looks && open > 0) {
            pool.engine.lookInMemory();
        }
        return isOver() || endless() != null;
    }

    private boolean isOver() {
        return open == 0 || heldUp || (forAll ? failed : ended > 0);
    }

    /**
     * Returns the error of an operation of this set that has failed or is held up by a failure; null if it is neither.
     */
    public CallError fault(Operation operation) {
        if (operation.done) {
            return operation.error == ErrorClass.SUCCESS ? null : pool.errors.of(operation);
        }
        return operation.isHeldUp()
                ? pool.errors.heldUp(operation.communicator, operation.describe(), ErrorClass.PROC_FAILED_PENDING)
                : null;
    }

    /** Gives back the object of an operation that has ended, for reuse: no call will look at the operation any more. */
    public void release(Operation operation) {
        pool.traffic.transfers().release(operation);
    }

    /** The error of a call that is not allowed for the request of a collective operation. */
    public CallError notOfCollective(Operation operation) {
        return pool.errors.notOfCollective(operation, call);
    }

    /**
     * Cancels a receive that has not matched, or a send of which nothing has left. Returns false if it was too late for
     * that.
     */
    public boolean cancel(Operation operation) {
        return pool.traffic.transfers().cancel(operation);
    }

    /** Forgets the operations, gives the set back to its pool, and releases the engine lock. */
    @Override
    public void close() {
        Operation next;
        for (Operation operation = firstWatched; operation != null; operation = next) {
            next = operation.nextWatched;
            operation.nextWatched = null;
            operation.watcher = null;
        }
        firstWatched = null;
        pool.idle.addLast(this);
        pool.engine.leave();
    }

    /** Told of each operation of the set that ends or is held up by a failure. */
    private final class Watch implements Operation.Watcher {
        @Override
        public void onDone(Operation operation) {
            open--;
            count(operation);
        }

        @Override
        public void onHeldUp() {
            heldUp = true;
        }
    }

    private void count(Operation operation) {
        ended++;
        failed |= operation.error != ErrorClass.SUCCESS;
    }

    private boolean isAnyHeldUp() {
        for (Operation operation = firstWatched; operation != null; operation = operation.nextWatched) {
            if (!operation.done && operation.isHeldUp()) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void explain(WaitNotes notes) {
        if (!forAll) {
            notes.firstIsEnough();
        }
        for (Operation operation = firstWatched; operation != null; operation = operation.nextWatched) {
            if (!operation.done) {
                operation.explain(notes);
            }
        }
    }

    /** Returns for instance {@code waitAll: receive from rank 1, tag 7 on COMM_WORLD and 2 more}. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(call).append(": ");
        for (Operation operation = firstWatched; operation != null; operation = operation.nextWatched) {
            if (!operation.done) {
                text.append(operation);
                return open == 1
                        ? text.toString()
                        : text.append(" and ").append(open - 1).append(" more").toString();
            }
        }
        return text.append("nothing").toString();
    }
}
