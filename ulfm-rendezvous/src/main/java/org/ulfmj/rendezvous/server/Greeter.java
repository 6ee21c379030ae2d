package org.ulfmj.rendezvous.server;

import org.ulfmj.rendezvous.store.StoreWelcome;

/** Welcomes a process that has proved that it knows the job's secret. */
interface Greeter {
    /**
     * @param session the number of the process's session with the store, as the process knows it; 0 for none
     * @param attempt grows with each dial of the process
     * @return null if this dial of the process, or a later one, was greeted before: then this connection is not to be
     *     used
     */
    StoreWelcome greet(long nonce, long session, long attempt);
}
