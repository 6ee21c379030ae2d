/**
 * For programs that embed this library, with or without {@code mpiexec}: a
 * {@link org.ulfmj.rendezvous.embed.SharedStore} that processes share, opened by a URL whose scheme chooses where the
 * values are, and a {@link org.ulfmj.rendezvous.embed.RendezvousHandler} that gathers them in rounds. Other places are
 * added by {@link org.ulfmj.rendezvous.embed.StoreBackend} and {@link java.util.ServiceLoader}.
 */
package org.ulfmj.rendezvous.embed;
