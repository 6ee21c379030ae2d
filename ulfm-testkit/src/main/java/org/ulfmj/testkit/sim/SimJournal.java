package org.ulfmj.testkit.sim;

import java.util.ArrayList;
import java.util.List;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.sim.EventLog;
import org.ulfmj.sim.SeededRandom;

/**
 * A hash of the events of one run that were noted: calls, arrivals, deaths and the like. Two runs are compared by it.
 * The first million of the single events are kept if the caller asks for that, to find the first difference or to show
 * a schedule.
 */
final class SimJournal {
    /** The kind of an event. */
    enum Kind {
        CALL("calls"),
        GO_ON("goes on after"),
        FRAME("receives"),
        DROP("will never receive"),
        DEATH("dies:"),
        NEWS("is told:"),
        DEPART("has left"),
        START("is started:"),
        FAULT("meets:");

        private final String verb;

        Kind(String verb) {
            this.verb = verb;
        }
    }

    /**
     * One event.
     *
     * @param rank the process at which it happened
     * @param digest of the details that are compared
     * @param text further details in words
     * @param call the rank's last call at that time
     */
    record Entry(long timeNs, Kind kind, ProcessId rank, long digest, String text, String call) {
        boolean isSameAs(Entry other) {
            return timeNs == other.timeNs && kind == other.kind && rank.equals(other.rank) && digest == other.digest;
        }

        String describe() {
            return "rank " + rank + " " + kind.verb + " " + text;
        }
    }

    private static final int MOST_ENTRIES = 1_000_000;

    private final EventLog log = EventLog.hashing();
    private final List<Entry> entries;

    SimJournal(boolean keeps) {
        entries = keeps ? new ArrayList<>() : null;
    }

    static long mix(long hash, long value) {
        return SeededRandom.mix(hash ^ value);
    }

    /** Whether the caller is to call {@link #keep} after each {@link #note}, because single events are kept. */
    boolean keeps() {
        return entries != null;
    }

    void note(long timeNs, Kind kind, int rank, long digest) {
        log.addUnread(timeNs, rank, kind.ordinal(), digest);
    }

    void keep(long timeNs, Kind kind, ProcessId rank, long digest, String text, String call) {
        if (entries.size() < MOST_ENTRIES) {
            entries.add(new Entry(timeNs, kind, rank, digest, text, call));
        }
    }

    long hash() {
        return log.hash();
    }

    /** Returns the events that were kept; empty if none were. */
    List<Entry> entries() {
        return entries == null ? List.of() : entries;
    }
}
