package org.ulfmj.testkit.replace;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ulfmj.testkit.RankEnd;
import org.ulfmj.testkit.sim.Seeds;
import org.ulfmj.testkit.sim.SimWorld;

/**
 * Shows that in most seeds a new process takes the place of a rank that falls silent for good, as of a dead one. At
 * most one process per run is ended for silence.
 */
class SilentForGoodTest {
    private static final int RANKS = 5;
    private static final long SEEDS = Long.getLong("sim.seeds", 60);

    @ParameterizedTest
    @ValueSource(strings = {"mute:rank=any(1)@op=*#random(30)", "vanish:rank=any(1)@op=*#random(30)"})
    void shouldPutAnotherInThePlaceOfASilentRank(String faults) {
        ReplacingProgram[] programs = new ReplacingProgram[(int) SEEDS + 1];
        long[] replacements = new long[1];
        Seeds seeds = SimWorld.of(RANKS)
                .restarting(1)
                .faults(faults)
                .runSeeds(1, SEEDS, 1, seed -> (programs[(int) seed] = new ReplacingProgram(RANKS))::main, result -> {
                    ReplacingProgram program = programs[(int) result.seed()];
                    program.check(result.ends());
                    replacements[0] += program.replacements();
                    List<?> ended = result.ends().processes(RankEnd.SILENCED);
                    assertThat(ended).as(result.toString()).hasSizeLessThanOrEqualTo(1);
                });
        System.out.println("faults \"" + faults + "\": " + seeds + ", " + replacements[0] + " replaced");
        seeds.requireSuccess();
        assertThat(replacements[0]).isGreaterThan(SEEDS / 2);
    }
}
