/**
 * The knowledge of who is alive: the overlay graph, the broadcast over it, the heartbeat ring and the set of the
 * failed. Pure protocols: no socket, thread or clock.
 */
package org.ulfmj.detector;
