/**
 * Ranks as processes: one TCP connection a pair, opened when it is first needed, and Unix-domain lifelines between
 * neighbours on a host. {@link org.ulfmj.transport.tcp.TcpFabric} is the door; sockets, selector and timers stay behind
 * it.
 *
 * <p>Everything runs under the rank's engine lock except the sleep in the selector, which only the thread that holds
 * the seat may enter.
 */
package org.ulfmj.transport.tcp;
