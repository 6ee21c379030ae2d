package org.ulfmj.benchmarks;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.ulfmj.benchmarks.peer.Machine;
import org.ulfmj.benchmarks.result.Result;
import org.ulfmj.benchmarks.result.Results;
import org.ulfmj.benchmarks.result.Windows;

/** The setups (machine, versions and commit) with which the figures of the places were measured. */
final class Setups {
    private Setups() {}

    /**
     * The lines for the page: the setup with the most places, a line per part; then each other setup in one line, with
     * its places. Single windows of jobs' first seconds are not counted or listed as places.
     */
    static List<String> lines(Results results) {
        Map<String, TreeSet<String>> places = new LinkedHashMap<>();
        for (Result result : results.all()) {
            if (Windows.isOne(result.place())) {
                // The places of single windows are not listed.
                continue;
            }
            places.computeIfAbsent(result.setup(), key -> new TreeSet<>()).add(result.place());
        }
        List<String> setups = places.keySet().stream()
                .sorted(Comparator.comparing(setup -> -places.get(setup).size()))
                .toList();
        List<String> lines = new ArrayList<>();
        for (String setup : setups) {
            if (lines.isEmpty()) {
                lines.addAll(List.of(setup.split(Machine.BETWEEN)));
            } else {
                lines.add("`" + String.join("`, `", places.get(setup)) + "` with " + setup);
            }
        }
        return lines;
    }
}
