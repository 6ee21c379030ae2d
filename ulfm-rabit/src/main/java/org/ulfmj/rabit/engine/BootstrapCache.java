package org.ulfmj.rabit.engine;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Results of operations before the first {@code loadCheckpoint}, kept by every rank for the whole job, unless all ranks
 * make these operations again: a rank that is started again in version 50 makes them too, and no other rank does.
 *
 * <p>The results are found by (place, occurrence), so a restarted rank may make the operations in another order, and a
 * loop at one call site gets each of its results. Each process counts occurrences from 0, and again in each run of the
 * program from the top. The counts are never copied from another rank, which may have made an operation twice that this
 * rank now makes for the first time. For one thread.
 */
final class BootstrapCache {
    /** A result, with the place and the occurrence by which it is found. */
    record Kept(Entry entry, Place place, int occurrence) {}

    private final List<Kept> kept = new ArrayList<>();
    private final SortedMap<String, Integer> indexes = new TreeMap<>();
    private final SortedMap<String, Integer> occurrences = new TreeMap<>();
    private final SortedMap<String, String> sitesOfKeys = new TreeMap<>();
    private final BitSet used = new BitSet();
    private int usedCount;
    private long lengthBytes;

    /** How often this run of the program has made operations at the place so far. */
    int occurrence(Place place) {
        return occurrences.getOrDefault(place.id(), 0);
    }

    /**
     * Returns the recorded result of the operation that the program makes at a place now; null if no result is recorded
     * for it here.
     *
     * @throws IllegalArgumentException if the place is a key that this run of the program has used already
     * @throws Mismatch if the recorded operation is another one
     */
    Entry find(Place place, Shape shape) {
        int occurrence = occurrence(place);
        if (place.isKey() && occurrence > 0) {
            throw new IllegalArgumentException("key \"" + place.name() + "\" is set twice: at "
                    + sitesOfKeys.get(place.name()) + " and at " + place.site() + "; a key names one operation");
        }
        Integer index = indexes.get(slot(place, occurrence));
        if (index == null) {
            return null;
        }
        Kept found = kept.get(index);
        if (!found.entry().shape().equals(shape)) {
            throw new Mismatch("this rank makes " + shape + " at " + place + ", where "
                    + found.entry().shape()
                    + " was made" + (occurrence > 0 ? " the " + (occurrence + 1) + "th time" : "") + " by the others ("
                    + found.place() + ")");
        }
        return found.entry();
    }

    /** Notes that the operation at this place is done: its result was found, or was just kept. */
    void use(Place place) {
        int occurrence = occurrence(place);
        int index = indexes.get(slot(place, occurrence));
        if (!used.get(index)) {
            used.set(index);
            usedCount++;
        }
        occurrences.put(place.id(), occurrence + 1);
        if (place.isKey()) {
            sitesOfKeys.put(place.name(), place.site());
        }
    }

    /** Keeps the result of the operation that was made at a place. */
    void keep(Place place, Entry entry) {
        put(new Kept(entry, place, occurrence(place)));
    }

    /** Adds a result behind those that are kept. */
    void put(Kept next) {
        indexes.put(slot(next.place(), next.occurrence()), kept.size());
        kept.add(next);
        lengthBytes += next.entry().lengthBytes();
    }

    Kept get(int index) {
        return kept.get(index);
    }

    int size() {
        return kept.size();
    }

    /** The number of recorded operations that this run of the program has made so far. */
    int used() {
        return usedCount;
    }

    /** The first recorded result that this run of the program has not used; named in the text of an error. */
    Kept firstUnused() {
        return kept.get(used.nextClearBit(0));
    }

    long lengthBytes() {
        return lengthBytes;
    }

    /** Drops all results but the first {@code count}. The program must have used none of the dropped ones. */
    void dropFrom(int count) {
        while (kept.size() > count) {
            Kept last = kept.remove(kept.size() - 1);
            indexes.remove(slot(last.place(), last.occurrence()));
            lengthBytes -= last.entry().lengthBytes();
        }
    }

    /** Notes that the program begins again at its top, so occurrences are counted from 0 again. */
    void rerun() {
        occurrences.clear();
        sitesOfKeys.clear();
        used.clear();
        usedCount = 0;
    }

    void clear() {
        rerun();
        kept.clear();
        indexes.clear();
        lengthBytes = 0;
    }

    private static String slot(Place place, int occurrence) {
        return place.id() + "#" + occurrence;
    }
}
