package org.ulfmj.check.rendezvous.joining;

import org.ulfmj.rendezvous.RendezvousMessage;

/** A message on the connection-th connection of a rank: what travels on an older one is lost with it. */
record Packet(int connection, RendezvousMessage message) {}
