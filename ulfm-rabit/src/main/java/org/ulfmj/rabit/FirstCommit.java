package org.ulfmj.rabit;

import org.ulfmj.rendezvous.store.StoreRequest;
import org.ulfmj.rendezvous.store.StoreResult;
import org.ulfmj.runtime.store.JobStore;
import org.ulfmj.runtime.store.StoreFault;

/**
 * Whether this job may have committed a checkpoint: a key in the store of the job, which outlives all ranks. Every rank
 * sets the key before its first commit of a checkpoint, unless the store is lost. So if the store answers that the key
 * is missing, no rank was ever told that a version is committed, and a job whose ranks have all died can begin again.
 */
final class FirstCommit {
    private static final String KEY = "ulfm.rabit.committed";

    /**
     * How long one request to the store waits for its answer. After that {@link #begin} itself sends its request again,
     * without returning, and {@link #isStillToCome} gives up and returns false.
     */
    private static final long TIMEOUT_NS = 10_000_000_000L;

    private final JobStore store;
    private boolean isMarked;

    FirstCommit(JobStore store) {
        this.store = store;
    }

    /**
     * Sets the key, unless this object has done so before, because this rank is about to take part in a commit. Returns
     * when the store has it, or when it is certain that this rank gets no answer from a store.
     */
    void begin() {
        while (!isMarked) {
            try {
                StoreResult result = store.ask(new StoreRequest.Set(KEY, new byte[0]), TIMEOUT_NS);
                if (!(result instanceof StoreResult.Stored)) {
                    throw new IllegalStateException("the store does not take '" + KEY + "': " + result);
                }
                isMarked = true;
            } catch (StoreFault fault) {
                // If the launcher is lost, no process will be started any more that would ask for the key, and one that
                // was started before gets no answer: so the key counts as set. After a timeout the launcher may only be
                // slow, and is asked again.
                isMarked = fault.kind() != StoreFault.Kind.TIMEOUT;
            }
        }
    }

    /**
     * Whether it is certain that this job has never committed a checkpoint; false also if the store gives no answer.
     */
    boolean isStillToCome() {
        try {
            return store.ask(new StoreRequest.Get(KEY, false), TIMEOUT_NS) instanceof StoreResult.Found found
                    && found.version() == 0;
        } catch (StoreFault noAnswer) {
            return false;
        }
    }
}
