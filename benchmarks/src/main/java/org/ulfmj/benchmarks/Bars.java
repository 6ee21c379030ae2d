package org.ulfmj.benchmarks;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * What is to be reached: the ratio of medians, ours over the faster Open MPI in C, that a place may have at most, by the
 * number of cores. A verdict is computed from this table and nowhere else.
 */
final class Bars {
    private static final double NONE = Double.NaN;
    private static final Map<String, double[]> BARS = new LinkedHashMap<>();

    static {
        bar("shm/2/pp:8", 1.1, 1.1);
        bar("shm/2/pp:64k", 0.6, 0.65);
        bar("shm/2/pp:1m", 0.5, 0.65);
        bar("shm/2/pp:4m", 0.6, 0.6);
        bar("shm/2/ppa:4m", 0.6, 0.6);
        bar("shm/2/rate:8", 1.5, 1.5);
        bar("shm/2/barrier", 0.8, 0.8);
        bar("shm/2/allreduce:8", 0.6, 0.8);
        bar("shm/4/barrier", 1.0, 0.8);
        bar("shm/4/allreduce:8", 1.0, 0.8);
        bar("shm/8/barrier", 1.0, 0.8);
        bar("shm/8/allreduce:8", 1.0, 0.8);
        bar("shm/2/allreduce:64k", 0.6, 0.6);
        bar("shm/4/allreduce:64k", 0.6, 0.6);
        bar("shm/8/allreduce:64k", 0.6, 0.6);
        bar("shm/2/allreduce:4m", 0.9, 0.6);
        bar("shm/4/allreduce:4m", 0.75, 0.6);
        bar("shm/8/allreduce:4m", 0.75, 0.6);
        bar("tcp/2/pp:8", 1.3, 1.3);
        bar("tcp/2/pp:64k", 0.8, 1.2);
        bar("tcp/2/pp:4m", 1.25, 1.15);
    }

    private Bars() {}

    private static void bar(String place, double onTwoCores, double onFourCores) {
        BARS.put(place, new double[] {onTwoCores, onFourCores});
    }

    /** The bar of a place; none where the figures are only shown. */
    static OptionalDouble of(String place, int cores) {
        double bar = BARS.getOrDefault(place, new double[] {NONE, NONE})[cores >= 4 ? 1 : 0];
        return Double.isNaN(bar) ? OptionalDouble.empty() : OptionalDouble.of(bar);
    }
}
