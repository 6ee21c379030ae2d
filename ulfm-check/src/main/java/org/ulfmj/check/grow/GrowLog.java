package org.ulfmj.check.grow;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.ulfmj.agree.message.Admission;

/**
 * A record, from outside, of the worlds into which the processes of one schedule came. Invariants read it, and a
 * newcomer finds in it the place in the program of the call that made its world.
 */
public final class GrowLog {
    /**
     * A survivor returned from grow() or replace() into a world, or a newcomer was told that it is in one.
     *
     * @param parent id of the world that a survivor was in before; without a meaning for a newcomer
     * @param agreements how many agreements the call took; 0 for a newcomer
     * @param act place in the program of the call that made the world
     */
    public record Entry(
            GrowProcess process, boolean isSurvivor, long parent, Admission admission, long agreements, int act) {
        public boolean differsFrom(Entry other) {
            return admission.epoch() == other.admission.epoch() && !admission.equals(other.admission);
        }

        @Override
        public String toString() {
            return process + (isSurvivor ? " returned into " : " was told ") + admission;
        }
    }

    /** A call of grow() that changed nothing. */
    public record Unchanged(GrowProcess process, long communicator, int act, long agreements) {}

    private final List<Entry> entries = new ArrayList<>();
    private final List<Unchanged> unchanged = new ArrayList<>();
    private final Map<Long, Integer> actsOfWorlds = new TreeMap<>();
    private boolean wrongSuspicion;

    void add(Entry entry) {
        entries.add(entry);
    }

    void add(Unchanged one) {
        unchanged.add(one);
    }

    /** Notes that a world was made by the call at this place of the program. */
    void makes(long world, int act) {
        actsOfWorlds.put(world, act);
    }

    /** The place in the program of the call that made a world. */
    int actOf(long world) {
        return actsOfWorlds.get(world);
    }

    void suspectedWrongly() {
        wrongSuspicion = true;
    }

    /** Whether in this schedule a process was marked failed while it ran. */
    public boolean wasAnySuspectedWrongly() {
        return wrongSuspicion;
    }

    public List<Entry> entries() {
        return Collections.unmodifiableList(entries);
    }

    public List<Unchanged> unchanged() {
        return Collections.unmodifiableList(unchanged);
    }
}
