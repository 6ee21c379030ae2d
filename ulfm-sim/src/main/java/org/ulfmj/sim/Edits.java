package org.ulfmj.sim;

import java.util.Collections;
import java.util.SortedSet;
import java.util.StringJoiner;
import java.util.TreeSet;

/** The items of the plan that a schedule leaves out, by their numbers ({@link Simulation#plans}). */
public record Edits(SortedSet<Integer> without) {
    /** Nothing is left out. */
    public static final Edits NONE = new Edits(new TreeSet<>());

    public Edits {
        without = Collections.unmodifiableSortedSet(new TreeSet<>(without));
    }

    /** Reads {@code 2,5,7}; an empty text means none. */
    public static Edits parse(String option, String text) {
        SortedSet<Integer> numbers = new TreeSet<>();
        for (String number : text.isEmpty() ? new String[0] : text.split(",")) {
            try {
                numbers.add(Integer.parseInt(number.trim()));
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException(
                        option + " " + text + ": wants numbers of planned items, like 2,5,7", e);
            }
        }
        return new Edits(numbers);
    }

    /** Returns these edits with one more item that is left out. */
    public Edits and(int item) {
        SortedSet<Integer> more = new TreeSet<>(without);
        more.add(item);
        return new Edits(more);
    }

    @Override
    public String toString() {
        StringJoiner text = new StringJoiner(",");
        without.forEach(item -> text.add(item.toString()));
        return text.toString();
    }
}
