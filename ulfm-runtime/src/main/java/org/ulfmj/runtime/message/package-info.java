/**
 * What messages consist of and are matched by: payloads and the memory that keeps them, keys and queues, credit, frames
 * that came before their communicator, descriptions of collective operations. Under the engine lock.
 */
package org.ulfmj.runtime.message;
