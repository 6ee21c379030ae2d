/**
 * Sends and receives, from the call that starts one to its end: what goes out, what arrives, which receive takes which
 * message, and how an operation ends when a process fails or departs, or its communicator is revoked or freed.
 * {@link org.ulfmj.runtime.transfer.Traffic} puts the parts together. Under the engine lock.
 */
package org.ulfmj.runtime.transfer;
