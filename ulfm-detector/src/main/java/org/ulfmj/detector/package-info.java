/**
 * Failure detection: the overlay graph, the broadcast over it, the heartbeat ring and the set of failed processes. Pure
 * protocols: no socket, thread or clock.
 */
package org.ulfmj.detector;
