package org.ulfmj.rabit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.ulfmj.rabit.RecoverProgram.Variant;
import org.ulfmj.testkit.sim.SimWorld;

/**
 * Whole programs in simulated time, of which ranks are killed: at any call, at any byte that is sent, or at a time.
 * Replacements are killed, too. All ranks end, with one model.
 */
class SimulatedRecoveryTest {
    private static final long SEEDS = Long.getLong("sim.seeds", 60);
    private static final long FIRST = Long.getLong("sim.first", 1);
    private static final int THREADS = Integer.getInteger("sim.threads", 2);

    @ParameterizedTest(name = "{0}: {2}")
    @CsvSource(
            delimiter = '|',
            value = {
                "one dies at any call|4|kill:rank=any(1)@op=*",
                "one dies at any byte|4|crash:rank=any(1)@byte=random",
                "several die|5|kill:rank=any(2)@op=*;crash:rank=any(1)@byte=random",
                "a replacement dies too|3|kill:rank=1@op=*;kill:rank=1,inc=1@op=*"
            })
    void shouldHaveOneModelUnderAnyDeaths(String who, int ranks, String faults) {
        OneOperationProgram[] programs = new OneOperationProgram[(int) SEEDS];
        AtomicLong deaths = new AtomicLong();
        System.out.println("faults \"" + faults + "\": "
                + SimWorld.of(ranks)
                        .restarting(6)
                        .faults(faults)
                        .anyBuffering()
                        .runSeeds(
                                FIRST,
                                FIRST + SEEDS - 1,
                                THREADS,
                                seed -> (programs[(int) (seed - FIRST)] = new OneOperationProgram())::run,
                                result -> {
                                    OneOperationProgram program = programs[(int) (result.seed() - FIRST)];
                                    assertThat(program.finalModels)
                                            .as("%s", result)
                                            .hasSize(ranks);
                                    assertThat(program.finalModels.values())
                                            .as("%s", result)
                                            .containsOnly(OneOperationProgram.expectedModel(ranks));
                                    deaths.addAndGet(result.deaths());
                                })
                        .requireSuccess()
                + ", " + deaths + " deaths");
        assertThat(deaths).hasPositiveValue();
    }

    @ParameterizedTest
    @EnumSource(Variant.class)
    void shouldRecoverWhateverTheGapBetweenTwoDeaths(Variant variant) {
        RecoverProgram[] programs = new RecoverProgram[(int) SEEDS];
        SimWorld.of(10)
                .restarting(6)
                .faults("kill:rank=0,4,9@t=300us;kill:rank=1@t=random(3s)")
                .runSeeds(
                        FIRST,
                        FIRST + SEEDS / 6,
                        THREADS,
                        seed -> (programs[(int) (seed - FIRST)] =
                                        new RecoverProgram(variant, 16, "ulfm.rabit.local.replicas=4"))::run,
                        result -> programs[(int) (result.seed() - FIRST)].requireOneModel(10))
                .requireSuccess();
    }
}
