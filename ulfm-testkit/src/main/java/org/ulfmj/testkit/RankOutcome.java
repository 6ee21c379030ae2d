package org.ulfmj.testkit;

/**
 * What became of one rank.
 *
 * @param end how it ended
 * @param thrown what its main threw, or the broken invariant; null for other ends
 * @param reason of a death in words; empty where {@code end} says it all
 */
public record RankOutcome(RankEnd end, Throwable thrown, String reason) {
    @Override
    public String toString() {
        return end + (reason.isEmpty() ? "" : " (" + reason + ")") + (thrown == null ? "" : ": " + thrown);
    }
}
