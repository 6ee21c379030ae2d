package org.ulfmj.protocol;

import java.util.Collection;
import java.util.Locale;

/** Finds the name that a mistyped one most likely meant. */
public final class NearestName {
    private NearestName() {}

    /**
     * The known name that needs the fewest edits. An edit is an insertion, a deletion, a replacement, or a swap of two
     * neighbouring letters. Letter case does not count. The first known name wins among equally near ones.
     *
     * @throws IllegalArgumentException if {@code known} is empty
     */
    public static String to(String name, Collection<String> known) {
        String nearest = null;
        int least = Integer.MAX_VALUE;
        for (String candidate : known) {
            int distance = distance(name.toLowerCase(Locale.ROOT), candidate.toLowerCase(Locale.ROOT));
            if (distance < least) {
                least = distance;
                nearest = candidate;
            }
        }
        if (nearest == null) {
            throw new IllegalArgumentException("no names to choose from");
        }
        return nearest;
    }

    /**
     * The question {@code "; did you mean X?"}, if the nearest known name is at most as many edits away as a third of
     * the given name's length. Otherwise, and if no name is known, an empty text.
     */
    public static String question(String name, Collection<String> known) {
        if (known.isEmpty()) {
            return "";
        }
        String nearest = to(name, known);
        int distance = distance(name.toLowerCase(Locale.ROOT), nearest.toLowerCase(Locale.ROOT));
        return 3 * distance <= name.length() ? "; did you mean " + nearest + "?" : "";
    }

    private static int distance(String a, String b) {
        int[][] cost = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                cost[i][j] = i == 0 || j == 0 ? i + j : stepCost(cost, a, b, i, j);
            }
        }
        return cost[a.length()][b.length()];
    }

    private static int stepCost(int[][] cost, String a, String b, int i, int j) {
        boolean same = a.charAt(i - 1) == b.charAt(j - 1);
        int least = Math.min(cost[i - 1][j - 1] + (same ? 0 : 1), Math.min(cost[i - 1][j], cost[i][j - 1]) + 1);
        boolean swapped = i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1);
        return swapped ? Math.min(least, cost[i - 2][j - 2] + 1) : least;
    }
}
