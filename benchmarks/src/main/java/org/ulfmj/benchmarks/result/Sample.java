package org.ulfmj.benchmarks.result;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.ulfmj.benchmarks.job.CpuTimes;

/**
 * Figures that are added one by one, collected by name and job; and how much of the machine other processes used since
 * this object was made.
 */
public final class Sample {
    private final String group;
    private final int ranks;
    private final CpuTimes before = CpuTimes.now();
    private final Map<List<String>, List<Double>> figures = new LinkedHashMap<>();

    public Sample(String group, int ranks) {
        this.group = group;
        this.ranks = ranks;
    }

    public void add(String name, double figure) {
        add(name, Result.OURS, figure);
    }

    public void add(String name, String job, double figure) {
        figures.computeIfAbsent(List.of(name, job), key -> new ArrayList<>()).add(figure);
    }

    /** @param ownTicks processor time of the measured processes, in the kernel's ticks; negative if it is not known */
    public List<Result> results(int launch, long ownTicks) {
        CpuTimes passed = CpuTimes.now().since(before);
        double foreign = ownTicks < 0 ? 0 : Math.max(0, passed.busy() - ownTicks) / (double) passed.all();
        List<Result> results = new ArrayList<>();
        figures.forEach((key, values) -> results.add(new Result(
                group,
                ranks,
                key.get(0),
                key.get(0),
                launch,
                key.get(1),
                values.stream().mapToDouble(Double::doubleValue).toArray(),
                foreign,
                passed.steal() / (double) passed.all())));
        return results;
    }
}
