package examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests the elastic examples on real processes: two ranks begin, two come in, two go (both leave, or one leaves and one
 * is killed), and the weights must be those of a run with two ranks. The newcomers are started by a second launcher, or
 * by the first one when its host discovery finds slots for them.
 */
class ElasticIT {
    private static final Duration LIMIT = Duration.ofSeconds(90);
    private static final Pattern CHECKSUM = Pattern.compile("finished .* checksum ([0-9a-f]{8})");
    private static final Pattern NEWCOMER = Pattern.compile("rank \\d+   comes in, pid (\\d+)\n");
    private static final List<String> ARGUMENTS = List.of("60", "4@20", "2@40");

    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"Elastic", "ElasticRabit"})
    void shouldHaveTheWeightsOfTwoRanksIfTwoJoinAndOneOfThemIsKilledAndOneLeaves(String program) throws IOException {
        try (RunningCommand job =
                start(program, "-n", "2:4", "--host", "localhost:2", "--report-uri", report(), "--timeout", "120")) {
            job.await("  2 ranks  from iteration 1 on\n", LIMIT);
            try (RunningCommand more = start(program, "--join", report(), "-n", "2")) {
                job.await("  4 ranks  wait before iteration 40 to be 2\n", LIMIT);
                List<Long> newcomers = newcomers(more);
                signal("TERM", newcomers.get(0));
                job.await("  3 ranks  from iteration 40 on\n", LIMIT);
                signal("KILL", newcomers.get(1));
                job.await("  2 ranks  from iteration 40 on\n", LIMIT);
                assertThat(job.exitCode(LIMIT)).as(job.text()).isZero();
                assertThat(more.exitCode(LIMIT)).as(more.text()).isIn(75, 137);
                assertThat(more.text()).contains("exited with code 75", "was killed by signal 9");
            }
            assertThat(job.text()).contains("finished   60 iterations on 2 ranks");
            assertThat(checksum(job.text())).isEqualTo(checksumOfTwoRanks());
        }
    }

    /** The command of {@code --host-discovery} prints two slots, then four, then two again. */
    @ParameterizedTest
    @ValueSource(strings = {"Elastic", "ElasticRabit"})
    void shouldHaveTheWeightsOfTwoRanksIfSlotsComeAndGo(String program) throws IOException {
        print("localhost:2");
        String[] options = {"-n", "2:4", "--host-discovery", "cat " + directory.resolve("slots"), "--timeout", "120"};
        List<String> all = new ArrayList<>(List.of(options));
        all.addAll(List.of("--set", "ulfm.discovery.interval=100ms"));
        try (RunningCommand job = start(program, all.toArray(String[]::new))) {
            job.await("  2 ranks  wait before iteration 20 to be 4\n", LIMIT);
            print("localhost:4");
            job.await("  4 ranks  wait before iteration 40 to be 2\n", LIMIT);
            print("localhost:2");
            assertThat(job.exitCode(LIMIT)).as(job.text()).isZero();
            assertThat(job.text()).contains("finished   60 iterations on 2 ranks");
            assertThat(checksum(job.text())).isEqualTo(checksumOfTwoRanks());
        }
    }

    private void print(String slots) throws IOException {
        Path next = Files.writeString(directory.resolve("next"), slots + "\n");
        Files.move(
                next, directory.resolve("slots"), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private static String checksumOfTwoRanks() {
        MpiexecRun run = MpiexecRun.of(LIMIT, "-n", "2", "examples", "Elastic", "60");
        assertThat(run.exitCode()).as(run.toString()).isZero();
        return checksum(run.outText());
    }

    private static String checksum(String text) {
        Matcher matcher = CHECKSUM.matcher(text);
        assertThat(matcher.find()).as(text).isTrue();
        return matcher.group(1);
    }

    /** Waits until both newcomers have printed that they are in the job, and returns their pids. */
    private static List<Long> newcomers(RunningCommand more) {
        more.await(text -> pids(text).size() == 2, "two newcomers", LIMIT);
        return pids(more.text());
    }

    private static List<Long> pids(String text) {
        List<Long> pids = new ArrayList<>();
        Matcher matcher = NEWCOMER.matcher(text);
        while (matcher.find()) {
            pids.add(Long.parseLong(matcher.group(1)));
        }
        return pids;
    }

    private static void signal(String name, long pid) throws IOException {
        RunningCommand.output("kill", "-" + name, Long.toString(pid));
    }

    private static RunningCommand start(String program, String... options) throws IOException {
        List<String> arguments = new ArrayList<>(List.of(options));
        arguments.addAll(List.of("examples", program));
        arguments.addAll(ARGUMENTS);
        return MpiexecRun.start(arguments);
    }

    private String report() {
        return directory.resolve("job").toString();
    }
}
