package org.ulfmj.benchmarks;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.ulfmj.benchmarks.job.Commands;
import org.ulfmj.benchmarks.peer.Ours;
import org.ulfmj.benchmarks.result.Result;
import org.ulfmj.benchmarks.result.Sample;

/**
 * Measures the recovery mode. Around a death: the longest call of any survivor, which waits until the rank is there
 * again, as a spare or as a new virtual machine, with a model of 4 MB and half a version to catch up on. While no
 * process dies: how long an allreduce of 4 KB takes without the recovery mode, and how long with it.
 */
final class RecoveryRun implements Measurement {
    private static final String KILL = "kill:rank=last@v=25,seq=24";

    private final Ours ours;
    private final int ranks;
    private final int deaths;

    /** @param deaths the number of deaths of each kind (with a spare, with a new process); there is a job per death */
    RecoveryRun(Ours ours, int ranks, int deaths) {
        this.ours = ours;
        this.ranks = ranks;
        this.deaths = deaths;
    }

    @Override
    public String title() {
        return "recovery np " + ranks;
    }

    @Override
    public List<String> names() {
        return List.of("recovery");
    }

    @Override
    public boolean isOnce() {
        return true;
    }

    @Override
    public List<Result> run(int launch) throws IOException, InterruptedException {
        Sample sample = new Sample("recovery", ranks);
        for (int i = 0; i < deaths; i++) {
            stall(sample, "stall, spare", "--spares");
            stall(sample, "stall, new process", "--max-restarts");
        }
        Commands.run(ours.recoveries(ranks, List.of(), List.of(), "sums"))
                .lines()
                .forEach(line -> addSum(sample, line));
        return sample.results(launch, -1);
    }

    private void stall(Sample sample, String name, String how) throws IOException, InterruptedException {
        List<Double> stalls = new ArrayList<>();
        Commands.run(ours.recoveries(ranks, List.of(how, "1", "--inject", KILL), List.of(), "stall"))
                .lines()
                .filter(line -> line.startsWith("stall "))
                .forEach(line -> stalls.add(Double.parseDouble(line.split(" ")[1])));
        if (stalls.size() != ranks - 1) {
            throw new IOException(stalls.size() + " of " + (ranks - 1) + " survivors said how long they stood still");
        }
        sample.add(name, stalls.stream().mapToDouble(Double::doubleValue).max().getAsDouble());
    }

    private static void addSum(Sample sample, String line) {
        int value = line.lastIndexOf(' ') + 1;
        if (line.startsWith("plain") || line.startsWith("rabit")) {
            String name = line.substring(0, value - 1)
                    .replace("plain", "allreduce:4k")
                    .replace("rabit", "Rabit.allreduce:4k");
            sample.add(name, Double.parseDouble(line.substring(value)));
        }
    }
}
