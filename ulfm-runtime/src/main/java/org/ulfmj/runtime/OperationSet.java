package org.ulfmj.runtime;

import org.ulfmj.runtime.error.CallError;
import org.ulfmj.runtime.error.ErrorClass;
import org.ulfmj.runtime.waits.NamedWait;
import org.ulfmj.runtime.waits.WaitNotes;

/**
 * The operations that one call of the program waits for, or looks at: one, some or all of them. Each that ends, or is
 * held up, says so here, so that a look costs the same however many they are, and the whole call costs once what they
 * are.
 *
 * <p>Made by {@link RankRuntime#operations}, which takes the engine lock; {@link #close} lets it go. So what the caller
 * reads between the two is of one moment, except across a wait. An operation is in one set at a time: two calls that
 * complete the same request would both give its object back, so the second is refused.
 */
public final class OperationSet implements NamedWait, AutoCloseable {
    private final RankEngine engine;
    private String call;
    private Operation firstWatched;
    private Peer attended;
    private int open;
    private int ended;
    private boolean failed;
    private boolean heldUp;
    private boolean forAll;

    OperationSet(RankEngine engine) {
        this.engine = engine;
    }

    void begin(String newCall) {
        call = newCall;
        attended = null;
        open = 0;
        ended = 0;
        failed = false;
        heldUp = false;
        forAll = false;
    }

    /**
     * Adds an operation, which may be over.
     *
     * @throws CallError of class {@link ErrorClass#REQUEST} if it is in a set already
     */
    public void add(Operation operation) {
        if (operation.watcher != null) {
            throw engine.errors().inUse(operation, call, operation.watcher == this);
        }
        if (operation.done) {
            count(operation);
            return;
        }
        open++;
        operation.watcher = this;
        operation.nextWatched = firstWatched;
        firstWatched = operation;
        heldUp |= operation.isHeldUp();
        attend(operation.peer);
    }

    /** The next polls look at the peer's link first; once is enough for a row of operations with one peer. */
    private void attend(Peer peer) {
        if (peer != null && peer != attended && !peer.isSelf) {
            engine.fabric().attend(peer.id);
            attended = peer;
        }
    }

    /** Waits until all are over, or one has failed or is held up by a failure. */
    public void awaitAll() {
        await(true);
    }

    /** Waits until one is over, or held up by a failure. Returns at once if there is none. */
    public void awaitAny() {
        await(false);
    }

    private void await(boolean all) {
        forAll = all;
        do {
            engine.progress().await(this);
            lookAgain();
        } while (!isDone());
    }

    /** Lets the engine work once, without waiting. */
    public void poll() {
        engine.progress().pollOnce();
        engine.checkRunning();
        lookAgain();
    }

    /** What was held up may have ended since, or another thread have acknowledged the failure. */
    private void lookAgain() {
        heldUp = heldUp && isAnyHeldUp();
    }

    /** Whether none was added. */
    public boolean isEmpty() {
        return open + ended == 0;
    }

    /** Whether one is not over. */
    public boolean hasOpen() {
        return open > 0;
    }

    /** Whether one is over. */
    public boolean hasEnded() {
        return ended > 0;
    }

    /** Whether one failed, or is held up. */
    public boolean isTroubled() {
        return failed || heldUp;
    }

    /** What a wait waits for. */
    @Override
    public boolean isDone() {
        return open == 0 || heldUp || (forAll ? failed : ended > 0);
    }

    /** How an operation of this set failed or why it is held up; null if neither. */
    public CallError fault(Operation operation) {
        if (operation.done) {
            return operation.error == ErrorClass.SUCCESS
                    ? null
                    : engine.errors().of(operation);
        }
        return operation.isHeldUp()
                ? engine.errors().heldUp(operation.communicator, operation.describe(), ErrorClass.PROC_FAILED_PENDING)
                : null;
    }

    /** The operation is over and no rank will look at it again: its object may be used again. */
    public void release(Operation operation) {
        engine.transfers().release(operation);
    }

    /** Withdraws a receive that has not matched, or a send that has not left; false if it was too late. */
    public boolean cancel(Operation operation) {
        return engine.transfers().cancel(operation);
    }

    /** Ends the look at these operations. */
    @Override
    public void close() {
        Operation next;
        for (Operation operation = firstWatched; operation != null; operation = next) {
            next = operation.nextWatched;
            operation.nextWatched = null;
            operation.watcher = null;
        }
        firstWatched = null;
        engine.giveBack(this);
        engine.leave();
    }

    void onDone(Operation operation) {
        open--;
        count(operation);
    }

    /** A failure that is not acknowledged holds up one of the receives from any source. */
    void onHeldUp() {
        heldUp = true;
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
