package org.ulfmj.testkit.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.testkit.RankEnd;
import org.ulfmj.testkit.RankMain;
import org.ulfmj.testkit.RankOutcome;

/** Tests what {@link SeedRunner} makes of the results of runs. The results are made up, and no world is run. */
class SeedRunnerTest {
    private static final RankOutcome FINALIZED = new RankOutcome(RankEnd.FINALIZED, null, "");

    private final List<Long> seeds = new ArrayList<>();

    @Test
    void shouldRunEverySeedOnceAndEveryTenthTwice() {
        run(settings(12), seed -> run(FINALIZED, FINALIZED));
        assertThat(seeds).containsExactly(1L, 1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L, 10L, 11L, 11L, 12L);
    }

    @Test
    void shouldNameSeedPlanAndTheLineThatRunsItAgain() {
        assertThatThrownBy(() -> run(settings(9), seed -> seed == 4 ? threw(new ArithmeticException("odd")) : right()))
                .isInstanceOf(AssertionError.class)
                .hasCauseInstanceOf(ArithmeticException.class)
                .hasMessageContaining("seed 4 of 1..9 fails: rank 1 threw java.lang.ArithmeticException: odd")
                .hasMessageContaining("faults     kill:rank=0@op=*#2   (drawn from \"kill:rank=any(1)@op=*\")")
                .hasMessageContaining("mvn test -Dtest='FooTest#shouldBar' -Dsim.seed=4")
                .hasMessageContaining("rank 1     THREW: java.lang.ArithmeticException: odd")
                .hasMessageContaining("did last send, recv");
    }

    @Test
    void shouldShowWhoWaitsForWhomInAHang() {
        SimulatedRun hang = new SimulatedRun(
                List.of(),
                List.of(process(0, FINALIZED), process(1, null, "recv")),
                null,
                "h",
                "rank 1 waits for rank 0",
                false);
        assertThatThrownBy(() -> run(settings(1), seed -> hang))
                .hasMessageContaining("the program hangs")
                .hasMessageContaining("rank 1     has not ended")
                .hasMessageContaining("rank 1 waits for rank 0");
    }

    @Test
    void shouldSayThatAProgramIsNotDeterministicWhenTwoRunsDiffer() {
        assertThatThrownBy(() -> run(
                        settings(1),
                        seed -> new SimulatedRun(
                                List.of(),
                                List.of(process(0, FINALIZED, "send")),
                                null,
                                "hash " + seeds.size(),
                                null,
                                false)))
                .hasMessageContaining("is not deterministic")
                .hasMessageContaining("first run  log hash 1, right")
                .hasMessageContaining("second run log hash 2, right")
                .hasMessageContaining("  one sent, the other received");
    }

    @Test
    void shouldAcceptAnAbortWithACodeThatIsExpected() {
        SimulatedRun aborted = new SimulatedRun(
                List.of(), List.of(process(0, new RankOutcome(RankEnd.ABORTED, null, ""))), 3, "h", null, false);
        assertThatCode(() -> run(settings(1, 3, 5), seed -> aborted)).doesNotThrowAnyException();
        assertThatThrownBy(() -> run(settings(1), seed -> aborted)).hasMessageContaining("aborted with code 3");
        assertThatThrownBy(() -> run(settings(1, 4), seed -> aborted)).hasMessageContaining("not among mayAbortWith");
    }

    @Test
    void shouldDemandThatEveryRankThatLivesFinalizes() {
        RankOutcome returned = new RankOutcome(RankEnd.RETURNED, null, "");
        RankOutcome killed = new RankOutcome(RankEnd.KILLED, null, "");
        assertThatCode(() -> run(settings(1), seed -> run(killed, FINALIZED))).doesNotThrowAnyException();
        assertThatThrownBy(() -> run(settings(1), seed -> run(killed, returned)))
                .hasMessageContaining("rank 1 returned without MPI.Finalize");
    }

    @Test
    void shouldNotCallAProgramUndeterminedWhenOneRunWasCutShort() {
        SimulatedRun cut = new SimulatedRun(
                List.of(),
                List.of(process(0, FINALIZED), process(1, null, "recv")),
                null,
                SimulatedRun.CUT_SHORT,
                "the run has taken 60000 ms of real time; its thread:\n    at Foo.bar",
                false);
        assertThatThrownBy(() -> run(settings(1), seed -> seeds.size() == 2 ? cut : right()))
                .hasMessageContaining(
                        "fails: the run was cut short by a bound of real time: the run has taken 60000 ms")
                .hasMessageNotContaining("not deterministic");
    }

    @Test
    void shouldFailWhenARankWasFencedForNoReason() {
        RankOutcome fenced = new RankOutcome(RankEnd.FENCED, null, "held for failed");
        assertThatThrownBy(() -> run(settings(1), seed -> run(FINALIZED, fenced)))
                .hasMessageContaining("rank 1 was fenced, though nothing in the plan is a reason")
                .hasMessageContaining("held for failed");
        assertThatCode(() -> run(
                        settings(1),
                        seed -> new SimulatedRun(
                                List.of("pause:rank=1:for=9s@op=*#2"),
                                List.of(process(0, FINALIZED), process(1, fenced)),
                                null,
                                "h",
                                null,
                                true)))
                .doesNotThrowAnyException();
    }

    @Test
    void shouldDemandThatTheProcessThatReplacedADeadOneFinalizesToo() {
        SimulatedRun.OneProcess killed =
                new SimulatedRun.OneProcess(ProcessId.of(1), new RankOutcome(RankEnd.KILLED, null, ""), List.of());
        SimulatedRun.OneProcess threw = new SimulatedRun.OneProcess(
                new ProcessId(1, 1), new RankOutcome(RankEnd.THREW, new ArithmeticException("odd"), ""), List.of());
        SimulatedRun.OneProcess last =
                new SimulatedRun.OneProcess(new ProcessId(1, 2), FINALIZED, List.of("allReduce"));
        SimulatedRun.OneProcess unneeded = new SimulatedRun.OneProcess(
                new ProcessId(1, 3), new RankOutcome(RankEnd.NOT_ADMITTED, null, ""), List.of());
        assertThatCode(() -> run(settings(1), seed -> of(process(0, FINALIZED), killed, last, unneeded)))
                .doesNotThrowAnyException();
        assertThatThrownBy(() -> run(settings(1), seed -> of(process(0, FINALIZED), killed, threw, last)))
                .hasMessageContaining("fails: rank 1'1 threw java.lang.ArithmeticException: odd")
                .hasMessageContaining("rank 1'2     FINALIZED");
    }

    private static SimulatedRun of(SimulatedRun.OneProcess... processes) {
        return new SimulatedRun(List.of(), List.of(processes), null, "h", null, false);
    }

    private void run(SimulationSettings settings, LongFunction<SimulatedRun> world) {
        Simulator simulator = new Simulator() {
            @Override
            public SimulatedRun run(int ranks, long seed, String faults, RankMain main) {
                seeds.add(seed);
                return world.apply(seed);
            }

            @Override
            public String difference(int ranks, long seed, String faults, Supplier<RankMain> mains) {
                return "one sent, the other received";
            }
        };
        new SeedRunner(settings, simulator, rank -> {}).run();
    }

    private static SimulationSettings settings(int seeds, int... mayAbortWith) {
        return new SimulationSettings(
                "FooTest#shouldBar", 2, 1, seeds, "kill:rank=any(1)@op=*", 0, mayAbortWith, 1, false);
    }

    private static SimulatedRun right() {
        return run(FINALIZED, FINALIZED);
    }

    private static SimulatedRun threw(Throwable thrown) {
        return run(new RankOutcome(RankEnd.KILLED, null, ""), new RankOutcome(RankEnd.THREW, thrown, ""));
    }

    private static SimulatedRun run(RankOutcome... outcomes) {
        List<SimulatedRun.OneProcess> processes = new ArrayList<>();
        for (RankOutcome outcome : outcomes) {
            processes.add(process(processes.size(), outcome, "send", "recv"));
        }
        return new SimulatedRun(List.of("kill:rank=0@op=*#2"), processes, null, "h", null, false);
    }

    private static SimulatedRun.OneProcess process(int rank, RankOutcome outcome, String... lastOperations) {
        return new SimulatedRun.OneProcess(ProcessId.of(rank), outcome, List.of(lastOperations));
    }
}
