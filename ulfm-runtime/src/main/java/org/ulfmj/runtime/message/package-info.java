/**
 * The parts of messages and of their matching: payloads and the memory that keeps them, keys and queues, credit,
 * communicators by id and frames that came before theirs, descriptions of collective operations. Under the engine lock.
 */
package org.ulfmj.runtime.message;
