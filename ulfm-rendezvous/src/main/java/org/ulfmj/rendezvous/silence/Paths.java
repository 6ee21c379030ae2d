package org.ulfmj.rendezvous.silence;

import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * J3: the lost paths between units: processes, or hosts. Each confirmed complaint is one path, lost for both its ends.
 *
 * @param <U> what names a unit, in the order in which units are compared last
 */
final class Paths<U extends Comparable<U>> {
    private final SortedMap<U, SortedSet<U>> lost = new TreeMap<>();

    /** @param unitOf the unit of a process; a complaint within one unit is no lost path */
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
     * The unit with the most lost paths; of several, that whose end costs the fewest processes; of several, the one
     * with the highest slot or index. So the launcher's own host, which has the lowest index, ends only if it costs
     * least.
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

    /** The reason for which a unit with lost paths is ended, in words. */
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
