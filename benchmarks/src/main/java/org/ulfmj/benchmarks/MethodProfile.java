package org.ulfmj.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.ulfmj.benchmarks.job.Commands;
import org.ulfmj.benchmarks.job.Dying;
import org.ulfmj.benchmarks.job.Folders;
import org.ulfmj.benchmarks.job.MeasuredJob;
import org.ulfmj.benchmarks.peer.Ours;
import org.ulfmj.benchmarks.profile.FlightProfile;
import org.ulfmj.benchmarks.profile.Parts;
import org.ulfmj.benchmarks.profile.Recordings;
import org.ulfmj.benchmarks.result.Result;

/**
 * Measures which methods the time is spent in. For most operations, the ranks' virtual machines record every 2 ms in
 * which method a thread runs. Of these samples only those inside the operation count, and only the second half of them
 * at each rank; where each rank has a core, missing samples count as a part too. While memory is copied such a
 * recording has no samples, so for operations that mostly copy, a second thread in each rank looks at the stack of the
 * rank's thread, also while that one waits.
 */
final class MethodProfile implements Measurement {
    private static final double ROUND_NS = 250e6;
    private static final int ROUNDS = 24;
    /**
     * The number of shrinks in a recording: as many as {@link FailureRun} makes in its first job of eight ranks with
     * the smaller heap, after the death of the last rank.
     */
    private static final int SHRINKS = 5_000;

    /**
     * The work that is recorded.
     *
     * @param java options for the virtual machines of the ranks
     */
    private interface Work {
        void run(List<String> java) throws IOException, InterruptedException;
    }

    /** A way to take a profile; it returns the parts, each with its number of samples. */
    private interface Method {
        Parts parts() throws IOException, InterruptedException;
    }

    private final FlightProfile profile;
    private final Method method;

    private MethodProfile(FlightProfile profile, Method method) {
        this.profile = profile;
        this.method = method;
    }

    /** All profiles by methods that are taken with this number of ranks; none for most numbers. */
    static List<Measurement> of(Ours ours, int ranks, boolean quick) {
        int rounds = quick ? ROUNDS / 5 : ROUNDS;
        return switch (ranks) {
            case 2 ->
                List.of(
                        recorded(ours, 2, new Cell("pp", 8), rounds),
                        recorded(ours, 2, new Cell("rate", 8), rounds),
                        looked(ours, 2, new Cell("ppa", 4 << 20), rounds),
                        looked(ours, 2, new Cell("allreduce", 4 << 20), rounds),
                        recorded(ours, 2, new Cell("agree", 0), rounds));
            case 4 ->
                List.of(
                        looked(ours, 4, new Cell("allreduce", 4 << 20), rounds),
                        recorded(
                                profile("Rabit.allreduce:4k", 4),
                                "allreduce",
                                java -> Commands.run(ours.recoveries(4, List.of(), java, "sums"))));
            case 8 ->
                List.of(
                        looked(ours, 8, new Cell("allreduce", 4 << 20), rounds),
                        looked(ours, 8, new Cell("alltoall", 64 << 10), rounds),
                        recorded(profile("shrink", 8), "shrink", java -> shrink(ours, 8, java)));
            default -> List.of();
        };
    }

    private static Measurement recorded(FlightProfile profile, String operation, Work work) {
        return new MethodProfile(profile, () -> {
            Path directory = Files.createTempDirectory("compare-profile-");
            try {
                work.run(List.of(Recordings.option(directory)));
                boolean hasCores = profile.ranks() <= Runtime.getRuntime().availableProcessors();
                return Recordings.read(directory).inside(operation, hasCores);
            } finally {
                Folders.delete(directory);
            }
        });
    }

    private static Measurement recorded(Ours ours, int ranks, Cell cell, int rounds) {
        return recorded(profile(cell.name(), ranks), "operate", java -> repeat(ours, ranks, cell, rounds, java));
    }

    private static Measurement looked(Ours ours, int ranks, Cell cell, int rounds) {
        return new MethodProfile(profile(cell.name(), ranks), () -> looks(ours, ranks, cell, rounds));
    }

    private static FlightProfile profile(String name, int ranks) {
        return FlightProfile.of(name, ranks)
                .orElseThrow(() -> new IllegalStateException("no picture of " + name + " with " + ranks + " ranks"));
    }

    @Override
    public String title() {
        return "profile np " + profile.ranks() + ", " + profile.name();
    }

    @Override
    public List<String> names() {
        return List.of(FlightProfile.GROUP);
    }

    @Override
    public boolean isOnce() {
        return true;
    }

    @Override
    public List<Result> run(int launch) throws IOException, InterruptedException {
        return method.parts().results(profile, launch);
    }

    private static void repeat(Ours ours, int ranks, Cell cell, int rounds, List<String> java)
            throws IOException, InterruptedException {
        try (MeasuredJob job = MeasuredJob.start(ours.cells(Result.OURS, ranks, "shm", List.of(), java), ranks)) {
            Turn turn = new Turn(job, cell, null);
            turn.warmUp(ROUND_NS);
            for (int round = 0; round < rounds; round++) {
                turn.ask();
            }
        }
    }

    private static Parts looks(Ours ours, int ranks, Cell cell, int rounds) throws IOException, InterruptedException {
        Parts parts = new Parts();
        try (MeasuredJob job = MeasuredJob.start(ours.cells(Result.OURS, ranks, "shm"), ranks)) {
            Turn turn = new Turn(job, cell, null);
            turn.warmUp(ROUND_NS);
            job.order("look");
            for (int round = 0; round < rounds; round++) {
                turn.ask();
            }
            job.order("looked");
            for (int rank = 0; rank < ranks; rank++) {
                String[] words = job.answer("looked", 60).split(" ");
                for (int i = 1; i < words.length; i += 2) {
                    parts.add(words[i], Integer.parseInt(words[i + 1]));
                }
            }
        }
        return parts;
    }

    private static void shrink(Ours ours, int ranks, List<String> java) throws IOException, InterruptedException {
        try (MeasuredJob job = MeasuredJob.start(ours.cells(Result.OURS, ranks, "shm", List.of(), java), ranks)) {
            Dying dying = new Dying(job, ranks, 1, SHRINKS);
            dying.kill();
            dying.lastErrorNs();
            dying.shrinks();
        }
    }
}
