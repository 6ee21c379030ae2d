package org.ulfmj.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordingFile;
import org.ulfmj.benchmarks.job.Job;

/**
 * Where the time goes: two ranks run the 8-byte round trip, and then the allreduce of 4 MiB, while the virtual machine notes
 * every 10 ms in which of our methods a thread runs; one that sleeps is not counted. What the Java library does for a method
 * counts as its own.
 */
final class ProfileRun implements Measurement {
    private static final int ROUNDS = 40;
    private static final double ROUND_NS = 250e6;
    private static final int SHOWN = 14;
    private static final List<Cell> CELLS = List.of(new Cell("pp", 8), new Cell("allreduce", 4 << 20));

    private final Ours ours;
    private final int rounds;

    ProfileRun(Ours ours, boolean quick) {
        this.ours = ours;
        this.rounds = quick ? ROUNDS / 5 : ROUNDS;
    }

    @Override
    public String title() {
        return "profile np 2";
    }

    @Override
    public List<String> names() {
        return List.of("profile");
    }

    @Override
    public boolean isOnce() {
        return true;
    }

    @Override
    public List<Result> run(int launch) throws IOException, InterruptedException {
        Sample sample = new Sample("profile", 2);
        for (Cell cell : CELLS) {
            Path directory = Files.createTempDirectory("compare-profile-");
            try {
                measure(cell, directory);
                add(sample, cell, count(directory, cell.work().equals("pp") ? "pingPong" : "allReduce"));
            } finally {
                delete(directory);
            }
        }
        return sample.results(launch, -1);
    }

    private void measure(Cell cell, Path directory) throws IOException, InterruptedException {
        List<String> java = List.of("-XX:StartFlightRecording:settings=profile,filename=" + directory);
        try (Job job = Job.start(ours.cells(Result.OURS, 2, "shm", List.of(), java), 2)) {
            Turn turn = new Turn(job, cell, null);
            turn.warmUp(ROUND_NS);
            for (int round = 0; round < rounds; round++) {
                turn.ask();
            }
        }
    }

    /** How often each of our methods was the innermost of ours, inside the operation. */
    private static Map<String, Integer> count(Path directory, String operation) throws IOException {
        Map<String, Integer> counts = new LinkedHashMap<>();
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.toList()) {
                for (RecordedEvent event : RecordingFile.readAllEvents(file)) {
                    boolean runs = event.getEventType().getName().equals("jdk.ExecutionSample");
                    if (runs && event.getStackTrace() != null) {
                        count(event.getStackTrace().getFrames(), operation, counts);
                    }
                }
            }
        }
        return counts;
    }

    private static void count(List<RecordedFrame> frames, String operation, Map<String, Integer> counts) {
        boolean isInside =
                frames.stream().anyMatch(frame -> frame.getMethod().getName().equals(operation));
        if (!isInside) {
            return;
        }
        for (RecordedFrame frame : frames) {
            String type = frame.getMethod().getType().getName();
            if (type.startsWith("org.ulfmj.") || type.startsWith("mpi.")) {
                String name = type.substring(type.lastIndexOf('.') + 1) + "."
                        + frame.getMethod().getName();
                counts.merge(name, 1, Integer::sum);
                return;
            }
        }
    }

    private static void add(Sample sample, Cell cell, Map<String, Integer> counts) {
        double all = counts.values().stream().mapToInt(Integer::intValue).sum();
        counts.entrySet().stream()
                .sorted(Map.Entry.<String, Integer>comparingByValue(Comparator.reverseOrder()))
                .limit(SHOWN)
                .forEach(entry -> sample.add(cell.name() + ", " + entry.getKey(), 100 * entry.getValue() / all));
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}
