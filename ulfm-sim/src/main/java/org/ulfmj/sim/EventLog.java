package org.ulfmj.sim;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;

/**
 * The events of one schedule, as a 64-bit hash and, when a seed is re-run for reading, as aligned lines.
 *
 * <p>The hash covers the time, the processes and the digest of each event. Verbs and texts are for readers and are not
 * hashed, so the hash outlives a renaming.
 */
public final class EventLog {
    /** Stands for no second process in an event. */
    public static final int NO_PROCESS = -1;

    private record Line(int process, int other, String text) {}

    private final List<Line> lines;
    private long hash = 1;
    private long count;

    private EventLog(List<Line> lines) {
        this.lines = lines;
    }

    /** Makes a log that keeps the hash only. */
    public static EventLog hashing() {
        return new EventLog(null);
    }

    /** Makes a log that keeps the lines too. */
    public static EventLog readable() {
        return new EventLog(new ArrayList<>());
    }

    /**
     * Adds an event.
     *
     * @param process the process that the event happened to
     * @param verb what happened
     * @param other the second process that took part, or {@link #NO_PROCESS}
     * @param detail its content is part of the hash, see {@link ContentHash}; null for none
     */
    public void add(long timeNs, int process, String verb, int other, Object detail) {
        add(timeNs, process, verb, other, detail, ContentHash.of(detail));
    }

    /**
     * Adds an event with a given hash of its detail.
     *
     * @param digest equal in every JVM for equal details
     */
    public void add(long timeNs, int process, String verb, int other, Object detail, long digest) {
        addUnread(timeNs, process, other, digest);
        if (lines != null) {
            String peer = other == NO_PROCESS ? "" : Integer.toString(other);
            String text = String.format(
                    Locale.ROOT,
                    "%13.6f ms %3d  %-10s %3s  %s",
                    timeNs / 1e6,
                    process,
                    verb,
                    peer,
                    detail == null ? "" : detail);
            lines.add(new Line(process, other, text));
        }
    }

    /** Adds an event that is too common to be read, such as a heartbeat: it counts in the hash, but makes no line. */
    public void addUnread(long timeNs, int process, int other, long digest) {
        hash = SeededRandom.mix(hash ^ timeNs);
        hash = SeededRandom.mix(hash ^ ((long) process << 32 | (other & 0xFFFF_FFFFL)));
        hash = SeededRandom.mix(hash ^ digest);
        count++;
    }

    /** Returns the hash of all events so far. */
    public long hash() {
        return hash;
    }

    /** Number of events so far. */
    public long count() {
        return count;
    }

    /** Whether this log keeps lines. */
    public boolean isReadable() {
        return lines != null;
    }

    /**
     * Returns at most the last {@code count} lines in which one of the given processes takes part; the last lines of
     * any process if none is given. Only for a log that keeps lines.
     */
    public List<String> lastLines(int count, Collection<Integer> processes) {
        ArrayDeque<String> last = new ArrayDeque<>();
        for (int i = lines.size() - 1; i >= 0 && last.size() < count; i--) {
            Line line = lines.get(i);
            if (processes.isEmpty() || processes.contains(line.process()) || processes.contains(line.other())) {
                last.addFirst(line.text());
            }
        }
        return List.copyOf(last);
    }

    /** Returns the lines, if this log keeps them; else an empty list. */
    public List<String> lines() {
        return lines == null ? List.of() : lines.stream().map(Line::text).toList();
    }
}
