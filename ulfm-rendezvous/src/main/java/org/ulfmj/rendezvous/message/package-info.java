/**
 * Messages between processes of a job and the rendezvous, and how they go over a connection.
 * {@link org.ulfmj.rendezvous.message.RendezvousMessage} lists them,
 * {@link org.ulfmj.rendezvous.message.RendezvousCodec} has their bytes,
 * {@link org.ulfmj.rendezvous.message.MessageChannel} reads and writes them at either end.
 */
package org.ulfmj.rendezvous.message;
