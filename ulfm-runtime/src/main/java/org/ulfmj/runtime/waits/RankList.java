package org.ulfmj.runtime.waits;

import java.util.Collection;
import java.util.TreeSet;

/** Texts that list ranks for people: {@code rank 3}, {@code ranks 0-2, 5}. */
final class RankList {
    /** The most runs of ranks in a list; of ranks beyond these only the number is given. */
    private static final int MOST_RUNS = 12;

    private RankList() {}

    /** Returns the list of the numbers with the word {@code rank} or {@code ranks} in front. */
    static String of(Collection<Integer> slots) {
        return (slots.size() == 1 ? "rank " : "ranks ") + bare(slots);
    }

    /** The numbers alone. */
    static String bare(Collection<Integer> slots) {
        StringBuilder text = new StringBuilder();
        int runs = 0;
        int listed = 0;
        Integer first = null;
        Integer last = null;
        TreeSet<Integer> sorted = new TreeSet<>(slots);
        for (int slot : sorted) {
            if (first != null && slot == last + 1) {
                last = slot;
                continue;
            }
            if (first != null) {
                append(text, first, last);
                listed += last - first + 1;
                runs++;
            }
            if (runs == MOST_RUNS) {
                return text.append(" and ")
                        .append(sorted.size() - listed)
                        .append(" more")
                        .toString();
            }
            first = slot;
            last = slot;
        }
        if (first != null) {
            append(text, first, last);
        }
        return text.toString();
    }

    private static void append(StringBuilder text, int first, int last) {
        text.append(text.length() == 0 ? "" : ", ").append(first);
        if (last > first) {
            text.append(last == first + 1 ? ", " : "-").append(last);
        }
    }
}
