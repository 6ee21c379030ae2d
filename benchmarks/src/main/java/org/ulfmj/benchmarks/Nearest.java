package org.ulfmj.benchmarks;

import java.util.Collection;

/** Guesses which word was meant. */
final class Nearest {
    private Nearest() {}

    /** The candidate with the fewest letters to insert, leave out or change. */
    static String to(String word, Collection<String> candidates) {
        return candidates.stream()
                .min((a, b) -> Integer.compare(distance(word, a), distance(word, b)))
                .orElse("");
    }

    private static int distance(String from, String to) {
        int[] costs = new int[to.length() + 1];
        for (int j = 0; j < costs.length; j++) {
            costs[j] = j;
        }
        for (int i = 0; i < from.length(); i++) {
            int above = costs[0]++;
            for (int j = 0; j < to.length(); j++) {
                int changed = above + (from.charAt(i) == to.charAt(j) ? 0 : 1);
                above = costs[j + 1];
                costs[j + 1] = Math.min(changed, Math.min(above, costs[j]) + 1);
            }
        }
        return costs[to.length()];
    }
}
