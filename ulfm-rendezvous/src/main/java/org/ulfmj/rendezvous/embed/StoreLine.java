package org.ulfmj.rendezvous.embed;

import org.ulfmj.rendezvous.store.StoreRequest;
import org.ulfmj.rendezvous.store.StoreResult;

/**
 * The interface by which a {@link SharedStore} uses a backend: requests and their results. {@link SharedStore} has
 * checked keys, values and times before it asks.
 *
 * <p>What a line has to guarantee: each request is carried out at most once; a change that was answered is seen by
 * every later request of every process; versions grow with each change of the store and are never given twice; the
 * result of a request is one that {@link StoreRequest} names for it, or {@link StoreResult.Refused}, and then nothing
 * was changed. A {@link StoreRequest.Changes} is answered as {@link StoreResult.Changed} says.
 * {@link StoreRequest.Withdraw} is never asked of a line. {@code StoreContract} among the tests of this module holds
 * for every backend.
 */
public interface StoreLine extends AutoCloseable {
    /**
     * Asks and waits for the result. Called by any number of threads. An interrupt does not end the wait; the flag is
     * kept.
     *
     * @param timeoutNs above 0; a request that may wait ({@link StoreRequest#mayWait}) and has no result after this
     *     time is withdrawn
     * @throws RendezvousFailure without a result: {@link RendezvousFailure.Timeout} after that time,
     *     {@link RendezvousFailure.Connection} only if nothing was changed
     */
    StoreResult ask(StoreRequest request, long timeoutNs);

    /**
     * Ends the line. Calls that wait, and later ones, throw {@link RendezvousFailure.Closed}. What was stored stays.
     */
    @Override
    void close();
}
