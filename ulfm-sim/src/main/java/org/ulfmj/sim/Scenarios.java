package org.ulfmj.sim;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.ServiceLoader;

/** The scenarios on the class path. */
public final class Scenarios {
    private Scenarios() {}

    /** All of them, in the order of their names. */
    public static List<Scenario> all() {
        List<Scenario> scenarios = new ArrayList<>();
        ServiceLoader.load(Scenario.class, Scenario.class.getClassLoader()).forEach(scenarios::add);
        scenarios.sort(Comparator.comparing(Scenario::name));
        return scenarios;
    }

    /** Those with the names given, separated by commas; {@code all} for all. */
    public static List<Scenario> named(String names) {
        List<Scenario> all = all();
        if (names.equals("all")) {
            return all;
        }
        List<Scenario> chosen = new ArrayList<>();
        for (String name : names.split(",")) {
            chosen.add(all.stream()
                    .filter(scenario -> scenario.name().equals(name))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("--scenario " + name + ": there is none; known are "
                            + all.stream().map(Scenario::name).toList())));
        }
        return chosen;
    }
}
