/**
 * The rendezvous as the launcher runs it, or a rank that was elected coordinator.
 * {@link org.ulfmj.rendezvous.server.RendezvousServer} has one thread for all connections and the pure
 * {@link org.ulfmj.rendezvous.RendezvousCore} behind them; {@link org.ulfmj.rendezvous.server.StoreHost} serves the
 * store alone.
 */
package org.ulfmj.rendezvous.server;
