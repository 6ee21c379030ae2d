package org.ulfmj.runtime.inject;

/**
 * The links that a rule is for.
 *
 * @param from the rank at one end; {@link #ANY} for each rank
 * @param to the rank at the other end; {@link #ANY} for each rank
 * @param bothWays whether the rule is for both directions, and not only for what {@code from} sends to {@code to}
 */
public record LinkChoice(int from, int to, boolean bothWays) {
    /** In place of a rank: each. */
    public static final int ANY = -1;
    /** Every link. */
    static final LinkChoice ALL = new LinkChoice(ANY, ANY, true);

    /** Whether the rank is at one end of a link that the rule is for. */
    public boolean names(int rank) {
        return from == ANY || to == ANY || from == rank || to == rank;
    }

    @Override
    public String toString() {
        return from == ANY && to == ANY ? "link=*" : "link=" + text(from) + (bothWays ? "-" : ">") + text(to);
    }

    private static String text(int rank) {
        return rank == ANY ? "*" : Integer.toString(rank);
    }
}
