package org.ulfmj.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs {@code benchmarks/compare}'s main class and the micro-benchmarks with few and short rounds and checks their
 * output. No measured figure is checked, since the machine may be busy.
 */
final class BenchmarksIT {
    private static final Path HOME = Path.of("").toAbsolutePath().getParent();
    private static final String JAVA =
            Path.of(System.getProperty("java.home"), "bin", "java").toString();

    @TempDir
    Path directory;

    @Test
    @Tag("release")
    void shouldMeasureOurOwnJobsWhenThereAreNoPeers() throws Exception {
        String said = compare(
                "--peers=none",
                "--np=2",
                "--launches=1",
                "--rounds=3",
                "--round=2",
                "--only=shm/pp:8,shm/ppa:4m,agree,allocation");

        assertThat(said).contains("shm/2/pp:8").contains("shm/2/ppa:4m").contains("agree/2/agree");
        assertThat(said).contains("allowed").doesNotContain("left out");
    }

    @Test
    @Tag("release")
    void shouldMeasureTheBareProgramBesideOurs() throws Exception {
        String said = compare(
                "--peers=bare",
                "--np=2,4",
                "--launches=1",
                "--rounds=3",
                "--round=2",
                "--only=shm/pp,shm/ppsw:1m,shm/rate:8,shm/barrier,shm/bcast:8,shm/reduce:8,shm/allreduce:8,tcp");

        assertThat(said).doesNotContain("left out");
        for (String cell : List.of(
                "shm/2/pp:8",
                "shm/2/pp:64k",
                "shm/2/ppsw:1m",
                "shm/2/rate:8",
                "shm/2/allreduce:8",
                "shm/4/barrier",
                "shm/4/bcast:8",
                "shm/4/reduce:8",
                "tcp/2/pp:8",
                "tcp/2/pp:4m")) {
            assertThat(said).containsPattern("(?m)^" + cell + " +ours .* bare ");
        }
        assertThat(said).as("no program without a library for it").doesNotContainPattern("(?m)^shm/2/pp:1m .* bare ");
    }

    /**
     * The bare program's bcast waits from time to time for ranks that are far behind, not for a step of a ping-pong.
     */
    @Test
    @Tag("release")
    @Timeout(180)
    void shouldMeasureABareCollectiveRightAfterAPingPong() throws Exception {
        String said = compare(
                "--peers=bare", "--np=2", "--launches=1", "--rounds=3", "--round=2", "--only=shm/pp:8,shm/bcast:8");

        assertThat(said).doesNotContain("left out").containsPattern("(?m)^shm/2/bcast:8 +ours .* bare ");
    }

    @Test
    @Tag("release")
    void shouldMeasureTheFirstSecondsOfJobs() throws Exception {
        String said = compare("--peers=none", "--np=2", "--quick", "--only=first/pp:8,first/agree,short");

        assertThat(said).contains("first/2/pp:8, µs in each window").contains("first/2/agree from 0.3 s");
        assertThat(said).contains("short/2/1 s").contains("short/2/3 s");
        assertThat(said).contains("allowed").contains("worst 15.0 µs").doesNotContain("left out");
    }

    @Test
    @Tag("release")
    void shouldMeasureTheFirstSecondsOfTheBareProgramBesideOurs() throws Exception {
        String said = compare("--peers=bare", "--np=4", "--quick", "--only=first");

        assertThat(said).doesNotContain("left out");
        for (String cell : List.of("pp:8", "allreduce:8", "barrier")) {
            assertThat(said).containsPattern("(?m)^first/4/" + cell + " from 1.0 s +ours .* bare ");
        }
        assertThat(said).as("no agreement without a library").doesNotContainPattern("(?m)^first/4/agree.* bare ");
    }

    @Test
    @Tag("release")
    void shouldRunEveryMicroBenchmarkOnce() throws Exception {
        String jar = HOME.resolve("benchmarks/target/benchmarks.jar").toString();
        List<String> benchmarks = run(JAVA, "-jar", jar, "-l")
                .lines()
                .filter(line -> line.startsWith("org.ulfmj."))
                .toList();

        // Most parameters get one value only, to save time: large worlds take longer to build than to measure.
        String said = once(
                jar,
                "-p",
                "ranks=16",
                "-p",
                "others=100",
                "-p",
                "failures=100",
                "-p",
                "bytes=8",
                "-p",
                "type=DOUBLE",
                "-p",
                "operator=SUM",
                "-e",
                "CollectiveBenchmark");
        String collectives = once(jar, "CollectiveBenchmark");

        assertThat(benchmarks).hasSizeGreaterThan(9);
        assertThat(benchmarks)
                .allSatisfy(name -> assertThat(said + collectives).contains("# Benchmark: " + name.strip()));
    }

    private String once(String jar, String... options) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(JAVA, "-jar", jar));
        command.addAll(List.of("-f", "0", "-wi", "0", "-i", "1", "-r", "20ms", "-foe", "true"));
        command.addAll(List.of(options));
        return run(command.toArray(String[]::new));
    }

    private String compare(String... options) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                JAVA,
                "-Dcompare.home=" + HOME,
                "-cp",
                HOME.resolve("benchmarks/target/benchmarks.jar").toString(),
                "org.ulfmj.benchmarks.Compare"));
        command.addAll(List.of(options));
        return run(command.toArray(String[]::new));
    }

    private String run(String... command) throws IOException, InterruptedException {
        File output = directory.resolve("output").toFile();
        Process process = new ProcessBuilder(new ArrayList<>(List.of(command)))
                .redirectErrorStream(true)
                .redirectOutput(output)
                .start();
        try {
            boolean ended = process.waitFor(5, TimeUnit.MINUTES);
            String said = Files.readString(output.toPath());
            assertThat(ended).as("%s has not ended: %s", List.of(command), said).isTrue();
            assertThat(process.exitValue()).as(said).isZero();
            return said;
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }
}
