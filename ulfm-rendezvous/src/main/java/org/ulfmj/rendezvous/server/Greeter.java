package org.ulfmj.rendezvous.server;

import org.ulfmj.rendezvous.store.StoreWelcome;

/** What a server says to a process that has proved itself. */
interface Greeter {
    /**
     * @param session with the store, as the process knows it; 0 for none
     * @param attempt grows with each dial of the process
     * @return null if a later dial of the process was greeted: then this connection is not to be used
     */
    StoreWelcome greet(long nonce, long session, long attempt);
}
