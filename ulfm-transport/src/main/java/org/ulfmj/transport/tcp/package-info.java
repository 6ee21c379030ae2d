/**
 * Ranks as processes: one TCP connection per pair of ranks, opened when it is first needed.
 * {@link org.ulfmj.transport.tcp.TcpFabric} is the entrance: it hides sockets and timers, and drives the rank's
 * selector and lifelines.
 *
 * <p>Links and connections are used under the rank's engine lock. The sleep in the selector is not under that lock.
 * Only the thread that holds the seat may sleep there.
 */
package org.ulfmj.transport.tcp;
