/**
 * How the ranks of a job find each other: {@link org.ulfmj.rendezvous.RendezvousCore}, the pure state machine that
 * gathers them, and its parts. Package {@code server} runs that machine and has the connections, {@code client} is the
 * other end of a connection in a rank, {@code message} has what goes between the two. The same connection then carries
 * what the launcher knows of deaths, and what ranks have to tell it.
 */
package org.ulfmj.rendezvous;
