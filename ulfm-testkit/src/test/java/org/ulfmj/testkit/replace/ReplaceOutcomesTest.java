package org.ulfmj.testkit.replace;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ulfmj.testkit.sim.SimResult;
import org.ulfmj.testkit.sim.SimWorld;

/**
 * Tests a whole program that has its dead ranks replaced, in many schedules for each way in which that can go.
 * {@code -Dsim.seeds=10000} sets how many seeds are run of each, {@code -Dsim.first=…} the first of them.
 */
class ReplaceOutcomesTest {
    private static final int RANKS = 4;
    private static final long SEEDS = Long.getLong("sim.seeds", Boolean.getBoolean("tests.whole") ? 50 : 40);
    private static final long FIRST = Long.getLong("sim.first", 1);
    private static final int THREADS = Integer.getInteger("sim.threads", 2);

    private final AtomicLong replacements = new AtomicLong();
    private final AtomicLong refusals = new AtomicLong();

    private void search(int restarts, String faults) {
        search(restarts, faults, (result, program) -> {});
    }

    private void search(int restarts, String faults, BiConsumer<SimResult, ReplacingProgram> check) {
        ReplacingProgram[] programs = new ReplacingProgram[(int) SEEDS];
        System.out.println(restarts + " restarts, faults \"" + faults + "\": "
                + SimWorld.of(RANKS)
                        .restarting(restarts)
                        .faults(faults)
                        .anyBuffering()
                        .runSeeds(
                                FIRST,
                                FIRST + SEEDS - 1,
                                THREADS,
                                seed -> {
                                    ReplacingProgram program = new ReplacingProgram(RANKS);
                                    programs[(int) (seed - FIRST)] = program;
                                    return program::main;
                                },
                                result -> {
                                    ReplacingProgram program = programs[(int) (result.seed() - FIRST)];
                                    program.check(result.ends());
                                    replacements.addAndGet(program.replacements());
                                    refusals.addAndGet(program.wasRefused() ? 1 : 0);
                                    check.accept(result, program);
                                })
                        .requireSuccess()
                + ", " + replacements + " replaced, " + refusals + " runs with a refusal");
    }

    private static void requireAllThere(SimResult result, ReplacingProgram program) {
        assertThat(program.wasRefused())
                .as("%s: %s", result, program.refusals())
                .isFalse();
    }

    @Test
    void shouldGoOnAtFullSizeUnderAnyDeaths() {
        search(1, "kill:rank=any(1)@op=*", ReplaceOutcomesTest::requireAllThere);
        assertThat(replacements).hasPositiveValue();
    }

    @Test
    void shouldReplaceRankZero() {
        search(1, "kill:rank=0@op=*", ReplaceOutcomesTest::requireAllThere);
        assertThat(replacements).hasPositiveValue();
    }

    @Test
    void shouldReplaceASecondOneThatDiesWhileTheFirstIsAwaited() {
        search(
                2,
                "kill:rank=any(1)@op=allreduce#random(4); kill:rank=any(1)@op=replace",
                ReplaceOutcomesTest::requireAllThere);
        assertThat(replacements).hasPositiveValue();
    }

    @Test
    void shouldReplaceAllButOne() {
        search(RANKS - 1, "kill:rank=any(3)@op=*", ReplaceOutcomesTest::requireAllThere);
        assertThat(replacements).hasPositiveValue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "kill:rank=1,inc=1@op=*",
                "kill:rank=1,inc=1@point=join.pending",
                "kill:rank=1,inc=1@point=join.admitted",
                "crash:rank=1,inc=1@frame=random(40)",
                "kill:rank=1,inc=1@t=random(30ms)"
            })
    void shouldReplaceANewcomerThatDiesWhenItJoins(String how) {
        search(2, "kill:rank=1@op=allreduce#random(4); " + how, ReplaceOutcomesTest::requireAllThere);
        assertThat(replacements).hasPositiveValue();
    }

    @Test
    void shouldSayWhenRestartsAreUsedUpAndLetTheOthersShrink() {
        search(2, "kill:rank=1,inc=*@op=*#random(20)", (result, program) -> {
            if (program.wasRefused()) {
                assertThat(program.refusals())
                        .contains("no process took the place of rank 1", "it has been started again 2 times");
            }
        });
        assertThat(refusals).hasPositiveValue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"kill:rank=any(2)@op=*", "crash:rank=any(2)@frame=random(200)"})
    void shouldGoOnWhenTheLauncherFailsAtAnyPoint(String faults) {
        search(3, faults + "; launcher@t=random(100ms)");
        assertThat(replacements).hasPositiveValue();
        assertThat(refusals).hasPositiveValue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"crash:rank=any(3)@frame=random(200)", "vanish:rank=any(2)@op=*", "random"})
    void shouldReplaceAfterFaultsOfAllKinds(String faults) {
        search(4, faults);
        assertThat(replacements).hasPositiveValue();
    }
}
