package org.ulfmj.rendezvous.silence;

import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * J3: the lost paths between units. A unit is a process, or a host. Two units between which there is a confirmed
 * complaint, or several, have one lost path, which counts for both.
 *
 * @param <U> the id of a unit: a process id or the index of a host; its order decides between units that are equal in
 *     all else
 */
final class Paths<U extends Comparable<U>> {
    private final SortedMap<U, SortedSet<U>> lost = new TreeMap<>();

    /** @param unitOf gives the unit of a process; a complaint within one unit is no lost path */
    Paths(List<Complaint> confirmed, Function<Subject, U> unitOf) {
        for (Complaint complaint : confirmed) {
            U one = unitOf.apply(complaint.by);
            U other = unitOf.apply(complaint.about);
            if (!one.equals(other)) {
                add(one, other);
                add(other, one);
            }
        }
    }

    private void add(U one, U other) {
        lost.computeIfAbsent(one, id -> new TreeSet<>()).add(other);
    }

    boolean isEmpty() {
        return lost.isEmpty();
    }

    /**
     * The unit with the most lost paths. Of several such units, the one whose end costs the fewest ranks; of several of
     * these, the one with the highest slot or index. So the launcher's own host, which has the lowest index, is chosen
     * over a host with as many lost paths only if its end costs fewer ranks.
     */
    U worst(Function<U, Integer> costOf) {
        U worst = null;
        for (U each : lost.keySet()) {
            if (worst == null || isWorse(each, worst, costOf)) {
                worst = each;
            }
        }
        return worst;
    }

    private boolean isWorse(U each, U worst, Function<U, Integer> costOf) {
        int more = lost.get(each).size() - lost.get(worst).size();
        return more > 0 || more == 0 && costOf.apply(each) <= costOf.apply(worst);
    }

    /** The reason for which a unit with lost paths is ended, as text: which units it has no path to. */
    String reasonOf(U unit, String noun) {
        StringJoiner others = new StringJoiner(", ");
        for (U other : lost.get(unit)) {
            others.add(other.toString());
        }
        boolean isOne = lost.get(unit).size() == 1;
        return "has no path to " + noun + (isOne ? " " : "s ") + others + " (" + (isOne ? "both" : "all")
                + " answer mpiexec)";
    }
}
