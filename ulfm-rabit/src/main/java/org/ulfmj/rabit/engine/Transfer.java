package org.ulfmj.rabit.engine;

/**
 * A part of a recovery's exchange.
 *
 * @param holder slot of who sends
 * @param requester slot of who lacks it
 * @param part from 0, of {@code parts} pieces of nearly equal length
 */
public record Transfer(Item item, int holder, int requester, int part, int parts) {
    /** Where this piece of this many bytes begins. */
    public int from(int lengthBytes) {
        return (int) ((long) lengthBytes * part / parts);
    }

    /** Where it ends. */
    public int to(int lengthBytes) {
        return (int) ((long) lengthBytes * (part + 1) / parts);
    }
}
