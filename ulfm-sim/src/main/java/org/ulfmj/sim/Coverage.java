package org.ulfmj.sim;

import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.TreeSet;

/** How many schedules went through each interesting event: a rule that no schedule exercised was not tested. */
public final class Coverage {
    private final SortedMap<String, Long> schedules = new TreeMap<>();

    /** Declares an event that at least one schedule must go through. */
    public void require(String event) {
        schedules.putIfAbsent(event, 0L);
    }

    /** Adds one schedule, which went through these events, to the counts. */
    public void add(SortedSet<String> seen) {
        for (String event : seen) {
            schedules.merge(event, 1L, Long::sum);
        }
    }

    public void add(Coverage other) {
        other.schedules.forEach((event, count) -> schedules.merge(event, count, Long::sum));
    }

    /** Returns the number of schedules that went through an event. */
    public long of(String event) {
        return schedules.getOrDefault(event, 0L);
    }

    /** Returns the required events that no schedule went through. */
    public SortedSet<String> missing() {
        SortedSet<String> missing = new TreeSet<>();
        schedules.forEach((event, count) -> {
            if (count == 0) {
                missing.add(event);
            }
        });
        return missing;
    }

    /** Returns the counts as one line: {@code coverage: a live rank fenced 312, new round 45, …}. */
    @Override
    public String toString() {
        StringJoiner line = new StringJoiner(", ", "coverage: ", "");
        for (Map.Entry<String, Long> entry : schedules.entrySet()) {
            line.add(entry.getKey() + " " + entry.getValue());
        }
        return line.toString();
    }
}
