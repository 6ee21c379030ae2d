package org.ulfmj.runtime.store;

import org.ulfmj.rendezvous.store.StoreReply;
import org.ulfmj.rendezvous.store.StoreRequest;

/** The way to the store of the job. Under the engine lock; no call waits. */
public interface StoreLine {
    /**
     * Sends a request. Returns null, and sends nothing, unless this line {@linkplain #hasRoom has room} for it. Once
     * the session with the store has ended, nothing is sent either, and it is known at once that no answer will come.
     */
    StoreReply ask(StoreRequest request);

    /** Whether this request may be sent now. */
    boolean hasRoom(StoreRequest request);

    /**
     * Asks the store to answer a request now, although what the request waits for has not come. Does nothing if the
     * request was answered, if the session with the store has ended, or if too many requests are unanswered.
     */
    void withdraw(StoreReply reply);
}
