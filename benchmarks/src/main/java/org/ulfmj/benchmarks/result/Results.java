package org.ulfmj.benchmarks.result;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/** All results by place, in the order in which they were added. */
public final class Results {
    private final Map<String, List<Result>> places = new LinkedHashMap<>();

    public void add(List<Result> results) {
        results.forEach(result ->
                places.computeIfAbsent(result.place(), key -> new ArrayList<>()).add(result));
    }

    public Set<String> places() {
        return places.keySet();
    }

    /** The results of all jobs and launches of a place; empty if it was not measured. */
    public List<Result> at(String place) {
        return places.getOrDefault(place, List.of());
    }

    public List<Result> all() {
        return places.values().stream().flatMap(List::stream).toList();
    }

    /**
     * The names of the jobs that have a figure at a place, as {@code ours} and {@code ompi}, in the order in which
     * their results were added.
     */
    public Set<String> jobs(String place) {
        Set<String> jobs = new LinkedHashSet<>();
        at(place).forEach(result -> jobs.add(result.job()));
        return jobs;
    }

    public NavigableSet<Integer> launches(String place) {
        NavigableSet<Integer> launches = new TreeSet<>();
        at(place).forEach(result -> launches.add(result.launch()));
        return launches;
    }

    /**
     * Returns the smallest among the medians (or other quantiles) that the wanted jobs have at a place in a launch;
     * empty if there is none.
     */
    public OptionalDouble fastest(String place, int launch, double quantile, Predicate<Result> wanted) {
        return at(place).stream()
                .filter(result -> result.launch() == launch && wanted.test(result))
                .mapToDouble(result -> result.quantile(quantile))
                .min();
    }

    /**
     * Returns the median, over the launches, of a job's medians at a place: with an even number of them, the smaller
     * one of the two in the middle. NaN if the job has no figure there.
     */
    public double median(String place, String job) {
        double[] medians = at(place).stream()
                .filter(result -> result.job().equals(job))
                .mapToDouble(Result::median)
                .sorted()
                .toArray();
        return medians.length == 0 ? Double.NaN : medians[(medians.length - 1) / 2];
    }

    /**
     * The smallest figure that at least this share of a job's figures at a place, over all launches, does not exceed;
     * NaN if the job has no figure there.
     */
    public double quantile(String place, String job, double share) {
        double[] all = at(place).stream()
                .filter(result -> result.job().equals(job))
                .flatMapToDouble(result -> Arrays.stream(result.micros()))
                .sorted()
                .toArray();
        return all.length == 0 ? Double.NaN : Result.quantile(all, share);
    }

    public double minimum(String place, String job) {
        return at(place).stream()
                .filter(result -> result.job().equals(job))
                .mapToDouble(Result::minimum)
                .min()
                .orElse(Double.NaN);
    }
}
