package org.ulfmj.rabit.engine;

/**
 * One piece of an item that a rank sends to another in a recovery.
 *
 * @param holder slot of the rank that sends
 * @param requester slot of the rank that lacks the item
 * @param part number of the piece, from 0, of {@code parts} pieces of nearly equal length
 */
public record Transfer(Item item, int holder, int requester, int part, int parts) {
    /** Where this piece begins, in an item of this many bytes. */
    public int from(int lengthBytes) {
        return (int) ((long) lengthBytes * part / parts);
    }

    /** Where this piece ends, in an item of this many bytes. */
    public int to(int lengthBytes) {
        return (int) ((long) lengthBytes * (part + 1) / parts);
    }
}
