package org.ulfmj.benchmarks;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.ulfmj.benchmarks.job.Commands;
import org.ulfmj.benchmarks.job.CpuTimes;
import org.ulfmj.benchmarks.peer.OtherMpis;
import org.ulfmj.benchmarks.peer.Ours;
import org.ulfmj.benchmarks.profile.FlightProfile;
import org.ulfmj.benchmarks.profile.Parts;
import org.ulfmj.benchmarks.result.Result;
import org.ulfmj.benchmarks.result.Sample;

/**
 * Measures Hello from the start of the launcher to its end. Whole commands run one after the other, in an order that
 * rotates. For some numbers of ranks the first launch also measures the processor time of our command.
 */
final class StartRun implements Measurement {
    private static final int PROFILED = 5;

    private final Ours ours;
    private final List<OtherMpis.Peer> peers;
    private final int ranks;
    private final int rounds;

    StartRun(Ours ours, List<OtherMpis.Peer> peers, int ranks, int rounds) {
        this.ours = ours;
        this.peers = peers;
        this.ranks = ranks;
        this.rounds = rounds;
    }

    @Override
    public String title() {
        return "start np " + ranks;
    }

    @Override
    public List<String> names() {
        return List.of("start");
    }

    @Override
    public List<Result> run(int launch) throws IOException, InterruptedException {
        Map<String, ProcessBuilder> commands = new LinkedHashMap<>();
        commands.put(Result.OURS, new ProcessBuilder(ours.hello(ranks)));
        for (OtherMpis.Peer peer : peers) {
            if (peer.hello() != null) {
                var spec = peer.hello().with(ranks, "shm");
                ProcessBuilder builder = new ProcessBuilder(spec.command());
                builder.environment().putAll(spec.environment());
                commands.put(peer.label(), builder);
            }
        }
        List<String> labels = new ArrayList<>(commands.keySet());
        // Each command runs once without counting: its files come into memory, and our archive of classes is made if
        // there is none.
        for (String label : labels) {
            micros(commands.get(label));
        }
        Sample sample = new Sample("start", ranks);
        for (int round = 0; round < rounds; round++) {
            for (int i = 0; i < labels.size(); i++) {
                String label = labels.get((round + i) % labels.size());
                sample.add("hello", label, micros(commands.get(label)));
            }
        }
        List<Result> results = new ArrayList<>(sample.results(launch, -1));
        Optional<FlightProfile> profile = launch == 1 ? FlightProfile.of("start", ranks) : Optional.empty();
        if (profile.isPresent()) {
            results.addAll(processorTime().results(profile.get(), launch));
        }
        return results;
    }

    /**
     * Returns the processor time by kinds of threads. Each rank prints the time of its threads. The rest of the
     * command's time counts for the launcher and for the ends of processes.
     */
    private Parts processorTime() throws IOException, InterruptedException {
        Parts parts = new Parts();
        for (int i = 0; i < Math.min(rounds, PROFILED); i++) {
            long before = CpuTimes.children();
            double restNs = 0;
            for (String line :
                    Commands.run(ours.hello(ranks, "threads")).lines().toList()) {
                String[] words = line.split(" ", 3);
                if (words[0].equals("used")) {
                    parts.add(words[2], Double.parseDouble(words[1]));
                    restNs -= Double.parseDouble(words[1]);
                }
            }
            restNs += CpuTimes.TICK_NS * (CpuTimes.children() - before);
            parts.add("the launcher, and the ends of processes", Math.max(0, restNs));
        }
        return parts;
    }

    private static double micros(ProcessBuilder builder) throws IOException, InterruptedException {
        long started = System.nanoTime();
        Process process = builder.redirectErrorStream(true).start();
        process.getOutputStream().close();
        String said = new String(process.getInputStream().readAllBytes());
        int status = process.waitFor();
        double micros = (System.nanoTime() - started) / 1e3;
        if (status != 0 || !said.contains("hello from")) {
            throw new IOException(String.join(" ", builder.command()) + ": status " + status + ": " + said.strip());
        }
        return micros;
    }
}
