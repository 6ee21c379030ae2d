package org.ulfmj.rendezvous.marked;

/**
 * One key as the store has it.
 *
 * @param value null if the key was deleted
 * @param created the revision in which the key was created; 0 if it was deleted
 * @param modified the revision of the last change of the key
 */
public record Entry(byte[] key, byte[] value, long created, long modified) {}
