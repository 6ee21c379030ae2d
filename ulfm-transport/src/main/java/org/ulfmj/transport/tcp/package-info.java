/**
 * Ranks as processes: one TCP connection a pair, opened when it is first needed.
 * {@link org.ulfmj.transport.tcp.TcpFabric} is the door; sockets and timers stay behind it, and it drives the rank's
 * selector and its lifelines.
 *
 * <p>Everything runs under the rank's engine lock except the sleep in the selector, which only the thread that holds
 * the seat may enter.
 */
package org.ulfmj.transport.tcp;
