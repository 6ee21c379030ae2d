package org.ulfmj.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ulfmj.sim.mutant.Mutant.without;
import static org.ulfmj.testkit.Programs.errorClass;
import static org.ulfmj.testkit.Programs.program;

import java.nio.IntBuffer;
import java.util.stream.Stream;
import mpi.Intracomm;
import mpi.MPI;
import mpi.Request;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.ulfmj.testkit.sim.SimResult;
import org.ulfmj.testkit.sim.SimWorld;

/**
 * Tests non-blocking collectives in simulated time, with deaths and other faults: no survivor may get a wrong value,
 * none may hang, and the buffer of a failed request may not be written to. Also shows of several rules that they are
 * needed: without the rule some seed fails.
 */
class SimulatedStartedCollectivesTest {
    private static final long SEEDS = Long.getLong("sim.seeds", Boolean.getBoolean("tests.whole") ? 20 : 10);
    private static final long FIRST = Long.getLong("sim.first", 1);
    private static final long SEEDS_OF_A_MUTANT = 400;
    private static final String STORY = "org.ulfmj.testkit.StartedCollectivesStory";
    private static final String RUN = "org.ulfmj.runtime.collective.run.ScheduleRun";
    private static final String SCHEDULE = "org.ulfmj.runtime.collective.CollectiveSchedule";
    private static final String RUNS = "org.ulfmj.runtime.collective.run.ScheduleRuns";
    private static final String STEPS = "org.ulfmj.runtime.collective.run.DueSteps";
    private static final Intracomm WORLD = MPI.COMM_WORLD;
    private static final int RANKS = 4;
    private static final int ITEMS = 3;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "2 |",
                "5 |",
                "2 | random",
                "4 | kill:rank=any(2)@op=*",
                "4 | crash:rank=any(2)@frame=random(300)",
                "3 | pause:rank=any(1)@op=*; crash:rank=any(1)@frame=random(300)",
                "5 | random(2)"
            })
    void shouldGiveSurvivorsTheRightValuesWhateverFails(int ranks, String faults) {
        String wrong = StartedCollectivesStory.run(FIRST, FIRST + SEEDS - 1, ranks, faults == null ? "" : faults);

        assertThat(wrong).isEmpty();
    }

    /** The collective operations that are tested over four ranks. */
    enum Kind {
        BARRIER,
        BCAST,
        GATHER,
        SCATTER,
        ALL_GATHER,
        ALL_TO_ALL,
        REDUCE,
        ALL_REDUCE,
        REDUCE_SCATTER,
        SCAN,
        EX_SCAN
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void shouldHaveTheRightValueOrTheFailureWhereARankDiesAtAnyMessage(Kind kind) {
        for (int dead = 0; dead < RANKS; dead++) {
            long frames =
                    dyingAt(kind, dead, Long.MAX_VALUE).processes().get(dead).sentFrames();
            for (long frame = 1; frame <= frames; frame++) {
                dyingAt(kind, dead, frame);
            }
        }
    }

    private static SimResult dyingAt(Kind kind, int dead, long frame) {
        SimWorld world = SimWorld.of(RANKS).seed(1 + frame % 7);
        if (frame != Long.MAX_VALUE) {
            world.faults("crash:rank=" + dead + "@frame=" + frame);
        }
        SimResult result = world.run(program(rank -> {
            IntBuffer first = MPI.newIntBuffer(RANKS * ITEMS);
            IntBuffer second = MPI.newIntBuffer(RANKS * ITEMS);
            Request[] requests = {begin(kind, rank, first), begin(kind, rank, second)};
            int[] errors = {errorClass(requests[1]::waitFor), errorClass(requests[0]::waitFor)};
            for (int i = 0; i < 2; i++) {
                assertThat(errors[i]).isIn(MPI.SUCCESS, MPI.ERR_PROC_FAILED);
                if (errors[i] == MPI.SUCCESS) {
                    requireResult(kind, rank, i == 0 ? second : first);
                }
            }
        }));
        result.ends().requireSurvivorsSucceeded();
        return result;
    }

    private static Request begin(Kind kind, int rank, IntBuffer data) {
        int all = RANKS * ITEMS;
        for (int i = 0; i < all; i++) {
            data.put(i, 10 * rank + i);
        }
        IntBuffer copy = MPI.newIntBuffer(all).put(0, data, 0, all);
        return switch (kind) {
            case BARRIER -> WORLD.iBarrier();
            case BCAST -> WORLD.iBcast(data, all, MPI.INT, 2);
            case GATHER -> WORLD.iGather(copy, ITEMS, MPI.INT, data, ITEMS, MPI.INT, 1);
            case SCATTER -> WORLD.iScatter(copy, ITEMS, MPI.INT, data, ITEMS, MPI.INT, 1);
            case ALL_GATHER -> WORLD.iAllGather(copy, ITEMS, MPI.INT, data, ITEMS, MPI.INT);
            case ALL_TO_ALL -> WORLD.iAllToAll(copy, ITEMS, MPI.INT, data, ITEMS, MPI.INT);
            case REDUCE -> WORLD.iReduce(copy, data, all, MPI.INT, MPI.SUM, 2);
            case ALL_REDUCE -> WORLD.iAllReduce(data, all, MPI.INT, MPI.SUM);
            case REDUCE_SCATTER -> WORLD.iReduceScatterBlock(copy, data, ITEMS, MPI.INT, MPI.SUM);
            case SCAN -> WORLD.iScan(data, all, MPI.INT, MPI.SUM);
            case EX_SCAN -> WORLD.iExScan(data, all, MPI.INT, MPI.SUM);
        };
    }

    private static void requireResult(Kind kind, int rank, IntBuffer data) {
        for (int i = 0; i < RANKS * ITEMS; i++) {
            int own = 10 * rank + i;
            boolean isOfFirstPart = i < ITEMS;
            int from = i / ITEMS;
            int expected =
                    switch (kind) {
                        case BARRIER -> own;
                        case BCAST -> 20 + i;
                        case GATHER -> rank == 1 ? 10 * from + i % ITEMS : own;
                        case SCATTER -> isOfFirstPart ? 10 + rank * ITEMS + i : own;
                        case ALL_GATHER -> 10 * from + i % ITEMS;
                        case ALL_TO_ALL -> 10 * from + rank * ITEMS + i % ITEMS;
                        case REDUCE -> rank == 2 ? 60 + 4 * i : own;
                        case ALL_REDUCE -> 60 + 4 * i;
                        case REDUCE_SCATTER -> isOfFirstPart ? 60 + 4 * (rank * ITEMS + i) : own;
                        case SCAN -> 10 * rank * (rank + 1) / 2 + (rank + 1) * i;
                        case EX_SCAN -> rank == 0 ? own : 10 * rank * (rank - 1) / 2 + rank * i;
                    };
            assertThat(data.get(i)).as("%s, rank %d, item %d", kind, rank, i).isEqualTo(expected);
        }
    }

    static Stream<NeededRule> rules() {
        return Stream.concat(
                NeededRule.under(
                        "",
                        without("order", "an operation takes its number when it is called")
                                .in(
                                        RUNS,
                                        "long sequence = communicator.beginCollective();\n        return begin(run.set(",
                                        "long sequence = communicator.collectiveSequence();\n        return begin(run.set("),
                        without("pieces", "a step goes on where its last piece ended")
                                .in(SCHEDULE, "if (workedBytes == plan.length(at)) {", "if (true) {"),
                        without("owner", "a wait runs operators of the program")
                                .in(
                                        STEPS,
                                        "|| alsoOfProgram && !ofProgram.isEmpty() && programRuns.size() < MOST_OF_PROGRAM;",
                                        ";")),
                NeededRule.under(
                        "kill:rank=any(1)@op=*",
                        without("end", "a failure is told when the piece that runs is over")
                                .in(
                                        RUN,
                                        "if (!isAtWork && !advancing) {\n            tellEnd();",
                                        "if (!advancing) {\n            tellEnd();")));
    }

    @ParameterizedTest(name = "without: {0}")
    @MethodSource("rules")
    @Tag("release")
    void shouldGoWrongWithoutARule(NeededRule rule) {
        rule.assertMissed(STORY, SEEDS_OF_A_MUTANT, 10, 4, 3, 5);
    }
}
