package org.ulfmj.sim;

import java.util.Collection;

/** Guesses what a wrong word was meant to be. */
public final class Nearest {
    private Nearest() {}

    /** The candidate that takes the fewest insertions, deletions and replacements to become the word. */
    public static String to(String word, Collection<String> candidates) {
        String nearest = "";
        int least = Integer.MAX_VALUE;
        for (String candidate : candidates) {
            int distance = distance(word, candidate);
            if (distance < least) {
                least = distance;
                nearest = candidate;
            }
        }
        return nearest;
    }

    private static int distance(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int replaced = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[b.length()];
    }
}
