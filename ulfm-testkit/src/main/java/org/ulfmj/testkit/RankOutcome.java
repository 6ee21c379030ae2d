package org.ulfmj.testkit;

/**
 * How one process of a rank ended.
 *
 * @param end the kind of its end
 * @param thrown the exception of its main, or the broken invariant; null for other ends
 * @param reason of the end in words; empty where {@code end} and {@code thrown} tell it
 */
public record RankOutcome(RankEnd end, Throwable thrown, String reason) {
    @Override
    public String toString() {
        return end + (reason.isEmpty() ? "" : " (" + reason + ")") + (thrown == null ? "" : ": " + thrown);
    }
}
