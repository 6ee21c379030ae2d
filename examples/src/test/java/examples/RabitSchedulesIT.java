package examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs test programs of the original Rabit as processes that are killed, with its schedules of kills or with drawn
 * ones: mostly ten ranks with 10,000 floats. One schedule is always run, the others before a release.
 * {@code -Dexamples.gaps} sets how many gaps between deaths are drawn for each program, and {@code -Dexamples.seed} the
 * seed.
 */
class RabitSchedulesIT {
    private static final int GAPS = Integer.getInteger("examples.gaps", 1);
    private static final long SEED = Long.getLong("examples.seed", 1);
    private static final String PROGRAM = "org.ulfmj.rabit.RecoverProgram";
    private static final int RANKS = 10;
    private static final int LONGEST_GAP_MS = 3_000;
    private static final List<String> PROGRAMS = List.of("MODEL", "LOCAL", "LAZY");

    private static final String TOGETHER = "mock=0,0,1,0; mock=1,1,1,0; mock=0,1,1,0; mock=4,1,1,0; mock=9,1,1,0";
    private static final String AGAIN = TOGETHER + "; mock=1,1,1,1; mock=8,1,2,0; mock=4,1,3,0";

    /**
     * A program with planned kills, in the notation of the original Rabit, and how many deaths they lead to: a kill
     * that is planned for the first process of a rank does not happen to its replacement.
     */
    private record Schedule(String program, String kills, int deaths) {}

    private static Stream<Schedule> schedules() {
        return Stream.of(
                new Schedule("LAZY", AGAIN, 6),
                // Rank 2 is killed after the first iteration, ranks 0 and 1 after the second.
                new Schedule("MODEL", "mock=2,1,0,0; mock=0,2,0,0; mock=1,2,0,0", 3));
    }

    private static Stream<Schedule> otherSchedules() {
        return Stream.of(
                new Schedule("MODEL", "", 0),
                new Schedule("MODEL", "mock=0,0,1,0; mock=1,1,1,0", 2),
                new Schedule("MODEL", TOGETHER, 4),
                new Schedule("LOCAL", "", 0),
                new Schedule("LOCAL", TOGETHER + "; mock=1,1,1,1", 5),
                new Schedule("LAZY", "", 0),
                new Schedule("LAZY", TOGETHER, 4),
                new Schedule("SUM", "mock=0,0,1,0; mock=1,1,1,0; mock=4,1,1,0; mock=9,1,1,0; mock=1,1,1,1", 5));
    }

    @Test
    void shouldEndWithOneModelWhenRanksDieTogetherAndAgain() {
        shouldEndWithOneModelUnderAnyKills(new Schedule("MODEL", AGAIN, 6));
    }

    @Tag("release")
    @ParameterizedTest
    @MethodSource("schedules")
    void shouldEndWithOneModelUnderAnyKills(Schedule schedule) {
        MpiexecRun run = mpiexec(RANKS, schedule.kills(), PROGRAM, schedule.program(), "10000");

        requireOneModel(run, schedule.program(), 3, schedule.deaths());
    }

    @Tag("release")
    @ParameterizedTest
    @MethodSource("otherSchedules")
    void shouldEndWithOneModelUnderAnyFurtherKills(Schedule schedule) {
        shouldEndWithOneModelUnderAnyKills(schedule);
    }

    @ParameterizedTest
    @MethodSource("gaps")
    @Tag("release")
    void shouldEndWithOneModelWhateverTheGapBetweenDeaths(String program, int gapMs) {
        String kills = "kill:rank=0,4,9@t=300ms; kill:rank=1@t=" + (300 + gapMs) + "ms";

        MpiexecRun run = mpiexec(RANKS, kills, PROGRAM, program, "10000", "80", "40");

        requireOneModel(run, program + ", gap of " + gapMs + " ms", 80, 4);
    }

    private static Stream<Arguments> gaps() {
        SplittableRandom random = new SplittableRandom(SEED);
        return PROGRAMS.stream()
                .flatMap(program -> random.ints(GAPS, 0, LONGEST_GAP_MS).mapToObj(gap -> Arguments.of(program, gap)));
    }

    @Test
    @Tag("long")
    void shouldPrepareInputOnlyOnceWhereARankIsKilledAfterIt(@TempDir Path directory) {
        MpiexecRun run = mpiexec(2, "mock=0,0,1,0", "org.ulfmj.rabit.GuideProgram", directory.toString());

        assertThat(run.exitCode()).as("%s", run).isZero();
        assertThat(run.out())
                .containsExactlyInAnyOrder(
                        "rank 0 prepares the maximum",
                        "rank 1 prepares the maximum",
                        "rank 0 prepares the sum",
                        "rank 1 prepares the sum",
                        "rank 0: maxima 1 2 3, sums 1 3 5",
                        "rank 1: maxima 1 2 3, sums 1 3 5");
    }

    private static MpiexecRun mpiexec(int ranks, String kills, String... program) {
        List<String> arguments = new ArrayList<>(List.of("-n", Integer.toString(ranks), "--max-restarts", "20"));
        arguments.addAll(List.of("--timeout", "110"));
        // A rank and two of the ranks that keep copies of its local model may be dead at once, so more than two copies
        // are kept.
        arguments.addAll(List.of("--set", "ulfm.rabit.local.replicas=4"));
        if (!kills.isEmpty()) {
            arguments.addAll(List.of("--inject", kills));
        }
        arguments.addAll(List.of("java", "-cp", MpiexecRun.testProgramsOf("ulfm-rabit")));
        arguments.addAll(List.of(program));
        return MpiexecRun.of(Duration.ofSeconds(120), arguments.toArray(new String[0]));
    }

    private static void requireOneModel(MpiexecRun run, String what, int versions, int deaths) {
        assertThat(run.exitCode()).as("%s: %s", what, run).isZero();
        assertThat(run.err())
                .as(what)
                .filteredOn(line -> line.contains("was killed by signal 9"))
                .hasSize(deaths);
        List<String> models =
                run.out().stream().filter(line -> line.contains("model ")).toList();
        assertThat(models).as("%s: %s", what, run).hasSize(RANKS);
        assertThat(models.stream().distinct()).as(what).hasSize(1);
        assertThat(models.get(0)).startsWith("version " + versions + ", ");
        System.out.println(what + ": " + deaths + " deaths, " + models.get(0));
    }
}
