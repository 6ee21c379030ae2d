package org.ulfmj.rendezvous.marked;

/**
 * One key as the store has it.
 *
 * @param value null in the news of a deletion
 * @param created the revision in which the key was created
 * @param modified the revision of this change
 */
public record Entry(byte[] key, byte[] value, long created, long modified) {}
