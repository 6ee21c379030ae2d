/**
 * How the ranks of a job find each other. {@link org.ulfmj.rendezvous.RendezvousCore} is the pure state machine that
 * gathers them, {@link org.ulfmj.rendezvous.JoinSession} its other end; {@link org.ulfmj.rendezvous.RendezvousServer}
 * runs the core inside the launcher, {@link org.ulfmj.rendezvous.RendezvousClient} the session inside a rank. The same
 * connection then carries what the launcher knows of deaths, and what ranks have to tell it.
 */
package org.ulfmj.rendezvous;
