package org.ulfmj.rabit;

import org.ulfmj.rendezvous.store.StoreRequest;
import org.ulfmj.rendezvous.store.StoreResult;
import org.ulfmj.runtime.store.JobStore;
import org.ulfmj.runtime.store.StoreFault;

/**
 * Whether this job has ever committed a checkpoint: a key in the store of the job, which outlives all ranks. Every rank
 * sets the key before it takes part in its first commit. So if the key is missing, no rank was ever told that a version
 * is committed, and a job whose ranks have all died can begin again.
 */
final class FirstCommit {
    private static final String KEY = "ulfm.rabit.committed";

    /** The time for an answer. Without one within it the rank asks again, or is not certain. */
    private static final long TIMEOUT_NS = 10_000_000_000L;

    private final JobStore store;
    private boolean isMarked;

    FirstCommit(JobStore store) {
        this.store = store;
    }

    /** Sets the key: this rank is about to take part in a commit. Returns when the store has it. */
    void begin() {
        while (!isMarked) {
            try {
                StoreResult result = store.ask(new StoreRequest.Set(KEY, new byte[0]), TIMEOUT_NS);
                if (!(result instanceof StoreResult.Stored)) {
                    throw new IllegalStateException("the store does not take '" + KEY + "': " + result);
                }
                isMarked = true;
            } catch (StoreFault fault) {
                // Without a launcher no process is started any more that would ask for the key, and one that was
                // started before gets no answer. After a timeout the launcher is only late.
                isMarked = fault.kind() != StoreFault.Kind.TIMEOUT;
            }
        }
    }

    /** Whether it is certain that this job has never committed a checkpoint. */
    boolean isStillToCome() {
        try {
            return store.ask(new StoreRequest.Get(KEY, false), TIMEOUT_NS) instanceof StoreResult.Found found
                    && found.version() == 0;
        } catch (StoreFault noAnswer) {
            return false;
        }
    }
}
