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
 * The operations that one call of the program waits for, or looks at: one, some or all of them. Each operation that
 * ends, or is held up, tells its set. So a look at the set costs the same however many operations it has, and the whole
 * call goes through them only once.
 *
 * <p>Taken from the {@link Pool} by a call that holds the engine lock; {@link #close} lets the lock go. So what the
 * caller reads between the two is of one moment, except across a wait. An operation is in one set at a time: two calls
 * that complete the same request would both give its object back, so the second is refused.
 */
public final class OperationSet implements NamedWait, AutoCloseable {
    /** The sets of one rank. Under the engine lock. */
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

        /** @param crowded whether there are more ranks than cores: then few looks are of use */
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

        /** A set for one call; {@link OperationSet#close} gives it back. */
        public OperationSet take(String call) {
            OperationSet set = idle.isEmpty() ? new OperationSet(this) : idle.pollLast();
            set.begin(call);
            return set;
        }
    }

    /** How often a wait looks at shared memory before it looks at anything else; fewer times while that is in vain. */
    private static final int MOST_LOOKS = 512;

    private static final int LEAST_LOOKS = 200;
    private static final int LOOKS_WHERE_CROWDED = 1;
    private static final int LOOKS_A_PAUSE = 16;

    /** The same for looks of a wait at its only operation, which take a tenth of the time of the others. */
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
    /** Whether operations may end by a look at memory that ranks share. */
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
     * Adds an operation, which may be over already.
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

    /** Makes the next polls look at the peer's link first; once is enough for a row of operations with one peer. */
    private void attend(ProcessId partner) {
        if (partner != null && !partner.equals(attended)) {
            pool.traffic.fabric().attend(partner);
            attended = partner;
        }
    }

    /** Waits until all operations are over, or one has failed or is held up by a failure. */
    public void awaitAll() {
        await(true);
    }

    /** Waits until one operation is over, or held up by a failure. Returns at once if the set is empty. */
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
     * Returns an operation that keeps this wait from ever ending, since its operator may not run before the operator of
     * the program ends that waits here; null if there is none, or the wait is over.
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

    /** Waits where operations of this rank go through shared memory: most waits end by the first looks at it. */
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

    /** Looks at one operation, which nothing but memory ends that ranks share. */
    private boolean isSeenByFirstLooks(Operation only) {
        int left = pool.firstLooks;
        // A rank that is over goes on with nothing, no matter what is seen.
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
     * Looks again whether an operation is held up: it may have ended since, or another thread may have acknowledged the
     * failure.
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

    /** Whether a wait by this set is over. */
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

    /** Returns the error of an operation of this set that has failed or is held up; null if it is neither. */
    public CallError fault(Operation operation) {
        if (operation.done) {
            return operation.error == ErrorClass.SUCCESS ? null : pool.errors.of(operation);
        }
        return operation.isHeldUp()
                ? pool.errors.heldUp(operation.communicator, operation.describe(), ErrorClass.PROC_FAILED_PENDING)
                : null;
    }

    /**
     * Gives back the object of an operation that is over, for use again: no call will look at the operation any more.
     */
    public void release(Operation operation) {
        pool.traffic.transfers().release(operation);
    }

    /** The error of a call that may not be made for the request of a collective operation. */
    public CallError notOfCollective(Operation operation) {
        return pool.errors.notOfCollective(operation, call);
    }

    /** Withdraws a receive that has not matched, or a send that has not left; false if it was too late. */
    public boolean cancel(Operation operation) {
        return pool.traffic.transfers().cancel(operation);
    }

    /** Lets go of the operations and of the engine lock, and gives the set back to its pool. */
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

    /** Hears of each operation of the set that ends or is held up. */
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

    /** {@code waitAll: receive from rank 1, tag 7 on COMM_WORLD and 2 more}. */
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
