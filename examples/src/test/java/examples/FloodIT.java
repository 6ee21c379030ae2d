package examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Makes 2,000 connections without the secret, or sends 2,000 datagrams, per second to one address of each kind at which
 * a job listens, one kind after the other, while the job does rounds of allReduce. No rank may be suspected, the rounds
 * may be only a few times slower than beside the same flood of an address that has nothing to do with the job, and the
 * live heap may grow by less than 16 MiB. {@code -Dflood.seconds=20} sets for how long each address is flooded; the two
 * floods take turns of a second.
 */
class FloodIT {
    private static final int RANKS = 2;
    private static final int PER_SECOND = 2_000;
    private static final double SECONDS = Double.parseDouble(System.getProperty("flood.seconds", "2"));
    private static final double TURN_SECONDS = 1;
    /** The limits are looser for short floods, because other work of the machine disturbs them more. */
    private static final double MOST_MEDIAN = SECONDS < 20 ? 3 : 1.25;

    private static final double MOST_99 = SECONDS < 20 ? 10 : 3;
    private static final long MOST_BYTES = 16L << 20;
    private static final long LIMIT_SECONDS = 120;

    @TempDir
    Path directory;

    /** A time in which a door, or the other address, was flooded, by {@link System#nanoTime}. */
    private record Turn(long fromNs, long toNs) {}

    /**
     * One flooded door of the job: when it was flooded, when the other address was, and by how much the live heap of
     * the job's processes grew.
     */
    private record Attacked(List<Turn> own, List<Turn> other, long grownBytes) {}

    @Test
    @Tag("release")
    void shouldGoOnBesideAFloodOfStrangers() throws Exception {
        Path stop = directory.resolve("stop");
        Path times = directory.resolve("times");
        Path out = directory.resolve("out");
        Path err = directory.resolve("err");
        ProcessBuilder builder = new ProcessBuilder(
                        Path.of("")
                                .toAbsolutePath()
                                .getParent()
                                .resolve("bin/mpiexec")
                                .toString(),
                        "-n",
                        Integer.toString(RANKS),
                        "--timeout",
                        "1000",
                        "java",
                        "-cp",
                        MpiexecRun.testPrograms(),
                        TimedRounds.class.getName(),
                        stop.toString(),
                        times.toString())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        Process job = builder.start();
        Map<String, Attacked> doors = new LinkedHashMap<>();
        try {
            List<SocketAddress> all = Doors.await(job, RANKS, LIMIT_SECONDS);
            SocketAddress bell = Doors.bells(job.toHandle()).get(0);
            flood(job, all.get(0), false, 1);
            doors.put("rendezvous", flood(job, all.get(0), false, SECONDS));
            doors.put("link", flood(job, all.get(1), false, SECONDS));
            doors.put("lifeline", flood(job, all.get(1 + RANKS), false, SECONDS));
            doors.put("bell", flood(job, bell, true, SECONDS));
            Files.createFile(stop);
            assertThat(job.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
        } finally {
            job.destroy();
        }
        String said = Files.readString(err);
        assertThat(job.exitValue()).as(said).isZero();
        assertThat(Files.readAllLines(out)).hasSize(RANKS).allMatch(line -> line.endsWith("ends well"));
        assertThat(said).doesNotContain("suspect").doesNotContain("failed").doesNotContain("silent");
        List<String> lines = Files.readAllLines(directory.resolve("times.0"));
        SoftAssertions all = new SoftAssertions();
        doors.forEach((door, attacked) -> judge(door, attacked, lines, all));
        all.assertAll();
    }

    private static void judge(String door, Attacked attacked, List<String> lines, SoftAssertions all) {
        Lengths own = lengths(attacked.own(), lines);
        Lengths other = lengths(attacked.other(), lines);
        double median = own.percentile(0.5) / other.percentile(0.5);
        double longest = own.percentile(0.99) / other.percentile(0.99);
        System.out.printf(
                Locale.ROOT,
                "%-10s p50 %.2f us, %.2f times the other address; p99 %.1f us, %.2f times; %d and %d rounds; %d kB grown%n",
                door,
                own.percentile(0.5) / 1e3,
                median,
                own.percentile(0.99) / 1e3,
                longest,
                own.count(),
                other.count(),
                attacked.grownBytes() >> 10);
        all.assertThat(own.count())
                .as("rounds beside the flood of the %s", door)
                .isPositive();
        all.assertThat(median).as("median beside the flood of the %s", door).isLessThan(MOST_MEDIAN);
        all.assertThat(longest)
                .as("99th percentile beside the flood of the %s", door)
                .isLessThan(MOST_99);
        all.assertThat(attacked.grownBytes())
                .as("memory kept after the flood of the %s", door)
                .isLessThan(MOST_BYTES);
    }

    private static Lengths lengths(List<Turn> turns, List<String> lines) {
        Lengths lengths = new Lengths();
        for (int i = 1; i < lines.size(); i++) {
            long fromNs = endNs(lines.get(i - 1));
            long toNs = endNs(lines.get(i));
            if (turns.stream().anyMatch(turn -> turn.fromNs() < fromNs && toNs < turn.toNs())) {
                lengths.addFields(lines.get(i).split(" "));
            }
        }
        return lengths;
    }

    private static long endNs(String line) {
        return Long.parseLong(line.substring(0, line.indexOf(' ')));
    }

    private Attacked flood(Process job, SocketAddress door, boolean isDatagram, double seconds) throws Exception {
        List<ProcessHandle> all = new ArrayList<>(List.of(job.toHandle()));
        all.addAll(Doors.ranksOf(job.toHandle()));
        long before = liveBytes(all);
        List<Turn> own = new ArrayList<>();
        List<Turn> other = new ArrayList<>();
        try (OtherDoor unrelated = new OtherDoor(door, isDatagram, directory)) {
            for (double done = 0; done < seconds; done += TURN_SECONDS) {
                boolean isOwnFirst = own.size() % 2 == 0;
                if (isOwnFirst) {
                    own.add(turn(door, isDatagram));
                }
                other.add(turn(unrelated.address(), isDatagram));
                if (!isOwnFirst) {
                    own.add(turn(door, isDatagram));
                }
            }
        }
        Files.deleteIfExists(directory.resolve("other"));
        return new Attacked(own, other, liveBytes(all) - before);
    }

    private static Turn turn(SocketAddress address, boolean isDatagram) throws IOException {
        long fromNs = System.nanoTime();
        int count = new Flood(PER_SECOND).run(address, isDatagram, TURN_SECONDS);
        assertThat(count).as("connections in a turn").isGreaterThan((int) (PER_SECOND * TURN_SECONDS / 2));
        return new Turn(fromNs, System.nanoTime());
    }

    /** Returns the bytes of all objects that are reachable in these processes together. */
    private static long liveBytes(List<ProcessHandle> processes) throws Exception {
        long total = 0;
        for (ProcessHandle each : processes) {
            Process histogram = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "jcmd")
                                    .toString(),
                            Long.toString(each.pid()),
                            "GC.class_histogram")
                    .redirectErrorStream(true)
                    .start();
            String text = new String(histogram.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(histogram.waitFor()).as(text).isZero();
            String last = text.substring(text.lastIndexOf("Total")).trim();
            total += Long.parseLong(last.split("\\s+")[2]);
        }
        return total;
    }
}
