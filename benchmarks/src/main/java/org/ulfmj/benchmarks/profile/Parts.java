package org.ulfmj.benchmarks.profile;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.ulfmj.benchmarks.result.Result;

/** The amounts of the parts of a whole, to be shown as shares, the largest first. */
public final class Parts {
    private static final int SHOWN = 14;
    private static final double LEAST_SHOWN = 0.005;

    private final Map<String, Double> amounts = new LinkedHashMap<>();

    public void add(String part, double amount) {
        amounts.merge(part, amount, Double::sum);
    }

    /**
     * The largest parts as results of the profile, in per cent of the whole: at most 14, each of more than half a per
     * cent. None if there are no parts.
     */
    public List<Result> results(FlightProfile profile, int launch) {
        double whole =
                amounts.values().stream().mapToDouble(Double::doubleValue).sum();
        return amounts.entrySet().stream()
                .filter(part -> part.getValue() > LEAST_SHOWN * whole)
                .sorted(Map.Entry.<String, Double>comparingByValue(Comparator.reverseOrder()))
                .limit(SHOWN)
                .map(part -> new Result(
                        FlightProfile.GROUP,
                        profile.ranks(),
                        profile.name(),
                        profile.title(),
                        launch,
                        part.getKey(),
                        new double[] {100 * part.getValue() / whole},
                        0,
                        0))
                .toList();
    }
}
