package org.ulfmj.benchmarks;

import java.io.IOException;
import java.util.List;
import org.ulfmj.benchmarks.job.Commands;
import org.ulfmj.benchmarks.peer.Ours;
import org.ulfmj.benchmarks.result.Result;
import org.ulfmj.benchmarks.result.Sample;

/** Measures the resident memory of a Hello rank beside that of a Java program that does not use MPI. */
final class MemoryRun implements Measurement {
    private final Ours ours;
    private final int rounds;

    MemoryRun(Ours ours, int rounds) {
        this.ours = ours;
        this.rounds = rounds;
    }

    @Override
    public String title() {
        return "memory np 2";
    }

    @Override
    public List<String> names() {
        return List.of("memory");
    }

    @Override
    public List<Result> run(int launch) throws IOException, InterruptedException {
        Sample sample = new Sample("memory", 2);
        for (int i = 0; i < rounds; i++) {
            add(sample, Result.OURS, ours.hello(2, "memory"));
            add(sample, "java", ours.plainHello());
        }
        return sample.results(launch, -1);
    }

    private static void add(Sample sample, String job, List<String> command) throws IOException, InterruptedException {
        Commands.run(command)
                .lines()
                .filter(line -> line.startsWith("resident "))
                .forEach(line -> sample.add("hello", job, Double.parseDouble(line.split(" ")[1])));
    }
}
