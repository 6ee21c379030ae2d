package org.ulfmj.check.replace;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.ulfmj.agree.message.Admission;

/** A log of the entries of processes into worlds, in one schedule, as seen from outside. For invariants only. */
public final class WorldLog {
    /**
     * A survivor returned from replace() into a world, or a newcomer was told that it is in one.
     *
     * @param agreements how many agreements the call took; 0 for a newcomer
     * @param gathers how many times the launcher had gathered a world by roll call, after each of which epochs begin
     *     anew
     */
    public record Entry(ReplaceRank rank, boolean isSurvivor, Admission admission, long agreements, int gathers) {
        public long epoch() {
            return admission.epoch();
        }

        public boolean differsFrom(Entry other) {
            return gathers == other.gathers && epoch() == other.epoch() && !admission.equals(other.admission);
        }

        @Override
        public String toString() {
            return rank + (isSurvivor ? " returned into " : " was told ") + admission;
        }
    }

    private final List<Entry> entries = new ArrayList<>();
    private boolean wrongSuspicion;
    private int gathers;

    public void add(ReplaceRank rank, boolean isSurvivor, Admission admission, long agreements) {
        entries.add(new Entry(rank, isSurvivor, admission, agreements, gathers));
    }

    /** The launcher has gathered a world by roll call: epochs begin anew. */
    public void beginsAnew() {
        gathers++;
    }

    /** Returns the entries in the order in which they happened; a live view that only grows. */
    public List<Entry> entries() {
        return Collections.unmodifiableList(entries);
    }

    /** Notes that a process has marked another one failed that runs. */
    public void suspectedWrongly() {
        wrongSuspicion = true;
    }

    public boolean wasAnySuspectedWrongly() {
        return wrongSuspicion;
    }
}
