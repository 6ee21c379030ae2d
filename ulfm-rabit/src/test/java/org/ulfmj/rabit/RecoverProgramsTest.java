package org.ulfmj.rabit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.ulfmj.rabit.RecoverProgram.Variant;
import org.ulfmj.runtime.options.FaultTrigger;
import org.ulfmj.testkit.LocalResult;
import org.ulfmj.testkit.LocalWorld;

/**
 * The fault schedules of the original Rabit's tests: 10 ranks with vectors of floats, killed as they enter calls. Each
 * kill is given by rank, version, call, and how often the rank has died before.
 */
class RecoverProgramsTest {
    private static final int RANKS = 10;
    private static final int LENGTH = 10_000;

    /**
     * Runs a program and returns how many of its processes died.
     *
     * @param kills each as the original Rabit writes it: rank, version, call, and how often the rank has died before,
     *     as in {@code 0,1,1,0 4,1,1,0}
     */
    private static int deaths(RecoverProgram program, String kills) {
        LocalWorld world = LocalWorld.of(RANKS).restarting(5);
        for (String kill : kills.isEmpty() ? new String[0] : kills.split(" ")) {
            int[] numbers =
                    Arrays.stream(kill.split(",")).mapToInt(Integer::parseInt).toArray();
            world.killing(numbers[0], numbers[3], FaultTrigger.atPosition(numbers[1], numbers[2]), 1);
        }
        LocalResult result = world.run(program::run);
        program.requireOneModel(RANKS);
        return IntStream.range(0, RANKS)
                .map(rank -> result.incarnations(rank) - 1)
                .sum();
    }

    @ParameterizedTest
    @EnumSource(Variant.class)
    void shouldRunWithoutFailure(Variant variant) {
        assertThat(deaths(new RecoverProgram(variant, LENGTH), "")).isZero();
    }

    @Test
    void shouldRecoverOneAfterTheOther() {
        String kills = "0,0,1,0 1,1,1,0";
        assertThat(deaths(new RecoverProgram(Variant.MODEL, LENGTH), kills)).isEqualTo(2);
    }

    @ParameterizedTest
    @EnumSource(Variant.class)
    void shouldRecoverThoseThatDieTogether(Variant variant) {
        String kills = "0,0,1,0 1,1,1,0 0,1,1,0 4,1,1,0 9,1,1,0";
        assertThat(deaths(new RecoverProgram(variant, LENGTH), kills)).isEqualTo(4);
    }

    @ParameterizedTest
    @EnumSource(value = Variant.class, names = "SUM", mode = Mode.EXCLUDE)
    void shouldRecoverThoseThatDieAgainWhileTheyCatchUp(Variant variant) {
        String kills = "0,0,1,0 1,1,1,0 0,1,1,0 4,1,1,0 9,1,1,0 1,1,1,1 8,1,2,0 4,1,3,1";
        assertThat(deaths(new RecoverProgram(variant, LENGTH), kills)).isEqualTo(7);
    }

    @Test
    void shouldRecoverLocalModelsOfSeveral() {
        String kills = "0,0,1,0 1,1,1,0 4,1,1,0 9,1,1,0 1,1,1,1";
        assertThat(deaths(new RecoverProgram(Variant.LOCAL, LENGTH), kills)).isEqualTo(5);
    }

    @Test
    void shouldFollowTheSeedsSchedule() {
        // Rank 2 dies after the first iteration, ranks 0 and 1 die after the second.
        String kills = "2,1,0,0 0,2,0,0 1,2,0,0";
        assertThat(deaths(new RecoverProgram(Variant.MODEL, 1000), kills)).isEqualTo(3);
    }
}
