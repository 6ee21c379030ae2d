/**
 * Ranks as processes: one TCP connection per pair of ranks, opened when it is first needed.
 * {@link org.ulfmj.transport.tcp.TcpFabric} is the entrance: it hides sockets and timers, and drives the rank's
 * selector and lifelines.
 *
 * <p>All methods run under the rank's engine lock, except the sleep in the selector. Only the thread that holds the
 * seat may sleep there.
 */
package org.ulfmj.transport.tcp;
