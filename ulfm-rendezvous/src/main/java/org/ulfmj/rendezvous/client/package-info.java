/**
 * The rendezvous at the side of a process of the job. {@link org.ulfmj.rendezvous.client.JoinSession} is the pure state
 * machine of a process that joins, {@link org.ulfmj.rendezvous.client.RendezvousClient} carries it over any number of
 * connections; {@link org.ulfmj.rendezvous.client.SpareWait} is the wait of a spare,
 * {@link org.ulfmj.rendezvous.client.StoreSocket} a connection for the store alone.
 */
package org.ulfmj.rendezvous.client;
