package org.ulfmj.sim;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.ServiceLoader;
import org.ulfmj.protocol.NearestName;

/** The scenarios on the class path. */
public final class Scenarios {
    private Scenarios() {}

    /** Returns all scenarios, in the order of their names. */
    public static List<Scenario> all() {
        List<Scenario> scenarios = new ArrayList<>();
        ServiceLoader.load(Scenario.class, Scenario.class.getClassLoader()).forEach(scenarios::add);
        scenarios.sort(Comparator.comparing(Scenario::name));
        return scenarios;
    }

    /**
     * Returns the scenarios with the given names, which are separated by commas, in the order of their names;
     * {@code all} for all.
     */
    public static List<Scenario> named(String names) {
        List<Scenario> all = all();
        if (names.equals("all")) {
            return all;
        }
        List<String> wanted = List.of(names.split(","));
        List<String> known = all.stream().map(Scenario::name).toList();
        for (String name : wanted) {
            if (!known.contains(name)) {
                throw new IllegalArgumentException("--protocol " + name + ": there is none; the nearest is "
                        + NearestName.to(name, known) + ", all are " + String.join(" ", known));
            }
        }
        return all.stream().filter(scenario -> wanted.contains(scenario.name())).toList();
    }
}
