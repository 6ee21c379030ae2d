package org.ulfmj.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ulfmj.sim.mutant.Mutant.without;
import static org.ulfmj.testkit.Programs.errorClass;
import static org.ulfmj.testkit.Programs.program;

import java.nio.IntBuffer;
import java.util.stream.Stream;
import mpi.Info;
import mpi.Intracomm;
import mpi.MPI;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.ulfmj.testkit.sim.SimResult;
import org.ulfmj.testkit.sim.SimWorld;

/**
 * Tests uniform errors in simulated time, with and without deaths: all survivors must end each operation with the same
 * error class. Without one of two rules some seed must fail.
 */
class SimulatedUniformErrorsTest {
    private static final long SEEDS = Long.getLong("sim.seeds", Boolean.getBoolean("tests.whole") ? 200 : 20);
    private static final long FIRST = Long.getLong("sim.first", 1);
    private static final long SEEDS_OF_A_MUTANT = 400;
    private static final String STORY = "org.ulfmj.testkit.UniformErrorsStory";
    private static final String OUTCOMES = "org.ulfmj.runtime.recovery.UniformOutcomes";
    private static final int RANKS = 3;

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldEndAnAllReduceAlikeWhereARankDiesAtAnyMessage(boolean isBlocking) {
        int failures = 0;
        for (int dead = 0; dead < RANKS; dead++) {
            int[] none = new int[RANKS];
            long frames = dyingAt(dead, Long.MAX_VALUE, isBlocking, none)
                    .processes()
                    .get(dead)
                    .sentFrames();
            for (long frame = 1; frame <= frames; frame++) {
                int[] met = new int[RANKS];
                dyingAt(dead, frame, isBlocking, met);
                assertThat(met[(dead + 1) % RANKS])
                        .as("death of rank %d at frame %d", dead, frame)
                        .isEqualTo(met[(dead + 2) % RANKS])
                        .isIn(MPI.SUCCESS, MPI.ERR_PROC_FAILED);
                failures += met[(dead + 1) % RANKS] == MPI.SUCCESS ? 0 : 1;
            }
        }
        assertThat(failures).isPositive();
    }

    private static SimResult dyingAt(int dead, long frame, boolean isBlocking, int[] met) {
        SimWorld world = SimWorld.of(RANKS).seed(1 + frame % 7);
        if (frame != Long.MAX_VALUE) {
            world.faults("crash:rank=" + dead + "@frame=" + frame);
        }
        SimResult result = world.run(program(rank -> {
            Info info = new Info();
            info.set("mpi_error_uniform", "coll");
            Intracomm[] made = new Intracomm[1];
            met[rank] = errorClass(() -> made[0] = MPI.COMM_WORLD.dupWithInfo(info));
            if (made[0] != null) {
                IntBuffer sum = MPI.newIntBuffer(1).put(0, 1);
                met[rank] = errorClass(() -> {
                    if (isBlocking) {
                        made[0].allReduce(sum, 1, MPI.INT, MPI.SUM);
                    } else {
                        made[0].iAllReduce(sum, 1, MPI.INT, MPI.SUM).waitFor();
                    }
                });
                assertThat(met[rank] != MPI.SUCCESS || sum.get(0) == RANKS).isTrue();
            }
        }));
        result.ends().requireSurvivorsSucceeded();
        assertThat(result.hang()).isEmpty();
        return result;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "2 |",
                "4 |",
                "3 | random",
                "4 | kill:rank=any(2)@op=*",
                "4 | crash:rank=any(2)@frame=random(300)",
                "5 | random(2)"
            })
    void shouldEndEveryOperationAlikeWhateverFails(int ranks, String faults) {
        assertThat(UniformErrorsStory.run(FIRST, FIRST + SEEDS - 1, ranks, faults == null ? "" : faults))
                .isEmpty();
    }

    static Stream<NeededRule> rules() {
        return Stream.concat(
                NeededRule.under(
                        "kill:rank=any(1)@op=*",
                        without("agreement", "an operation ends as the members agree")
                                .in(
                                        OUTCOMES,
                                        "ErrorClass met = commonOf(decision.flag(Kind.OUTCOME));",
                                        "ErrorClass met = own;")),
                NeededRule.under(
                        "",
                        without("order", "agreements are entered in the order of the operations")
                                .in(
                                        OUTCOMES,
                                        "while (!open.isEmpty() && open.peekFirst().own != null) {",
                                        "for (Outcome each : open.toArray(Outcome[]::new)) {\n"
                                                + "            if (each.own == null) {\n"
                                                + "                continue;\n"
                                                + "            }\n"
                                                + "            open.remove(each);\n"
                                                + "            open.addFirst(each);\n")));
    }

    @ParameterizedTest(name = "without: {0}")
    @MethodSource("rules")
    @Tag("release")
    void shouldGoWrongWithoutARule(NeededRule rule) {
        rule.assertMissed(STORY, SEEDS_OF_A_MUTANT, 10, 4, 3);
    }
}
