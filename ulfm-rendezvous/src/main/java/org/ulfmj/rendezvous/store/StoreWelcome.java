package org.ulfmj.rendezvous.store;

/**
 * The server's answer to a dial (S1).
 *
 * @param boot a number by which processes notice another server in the place of this one
 * @param session the number of the caller's session; 0 if its session has ended, or if this server did not give it
 */
public record StoreWelcome(long boot, long session) {}
