package org.ulfmj.check.rendezvous.joining;

import org.ulfmj.rendezvous.message.RendezvousMessage;

/**
 * A message on one connection of a rank, with the number of the connection. Messages on an older connection than the
 * newest one are dropped.
 */
record Packet(int connection, RendezvousMessage message) {}
