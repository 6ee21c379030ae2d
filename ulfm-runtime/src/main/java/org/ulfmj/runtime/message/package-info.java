/**
 * What messages consist of and are matched by: payloads and the memory they are kept in, keys and queues, credit. Under
 * the engine lock.
 */
package org.ulfmj.runtime.message;
