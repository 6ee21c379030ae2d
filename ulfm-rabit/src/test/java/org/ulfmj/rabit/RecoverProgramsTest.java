package org.ulfmj.rabit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.ulfmj.rabit.RecoverProgram.Variant;
import org.ulfmj.runtime.options.FaultTrigger;
import org.ulfmj.testkit.LocalResult;
import org.ulfmj.testkit.LocalWorld;

/**
 * The original's fault schedules: 10 ranks with 10,000 floats, killed as they enter calls, by (rank, version, call,
 * death).
 */
class RecoverProgramsTest {
    private static final int RANKS = 10;
    private static final int LENGTH = 10_000;

    /** Each kill as the original writes it. */
    private static LocalResult run(RecoverProgram program, int[]... kills) {
        LocalWorld world = LocalWorld.of(RANKS).restarting(5);
        for (int[] kill : kills) {
            world.killing(kill[0], kill[3], FaultTrigger.atPosition(kill[1], kill[2]), 1);
        }
        LocalResult result = world.run(program::run);
        program.requireOneModel(RANKS);
        return result;
    }

    private static int[] kill(int rank, int version, int call, int death) {
        return new int[] {rank, version, call, death};
    }

    private static int deaths(LocalResult result) {
        int deaths = 0;
        for (int rank = 0; rank < RANKS; rank++) {
            deaths += result.incarnations(rank) - 1;
        }
        return deaths;
    }

    @ParameterizedTest
    @EnumSource(Variant.class)
    void shouldRunWithoutFailure(Variant variant) {
        assertThat(deaths(run(new RecoverProgram(variant, LENGTH)))).isZero();
    }

    @Test
    void shouldRecoverOneAfterTheOther() {
        LocalResult result = run(new RecoverProgram(Variant.MODEL, LENGTH), kill(0, 0, 1, 0), kill(1, 1, 1, 0));

        assertThat(deaths(result)).isEqualTo(2);
    }

    @ParameterizedTest
    @EnumSource(Variant.class)
    void shouldRecoverThoseThatDieTogether(Variant variant) {
        LocalResult result = run(
                new RecoverProgram(variant, LENGTH),
                kill(0, 0, 1, 0),
                kill(1, 1, 1, 0),
                kill(0, 1, 1, 0),
                kill(4, 1, 1, 0),
                kill(9, 1, 1, 0));

        assertThat(deaths(result)).isEqualTo(4);
    }

    @ParameterizedTest
    @EnumSource(value = Variant.class, names = "SUM", mode = Mode.EXCLUDE)
    void shouldRecoverThoseThatDieAgainWhileTheyCatchUp(Variant variant) {
        LocalResult result = run(
                new RecoverProgram(variant, LENGTH),
                kill(0, 0, 1, 0),
                kill(1, 1, 1, 0),
                kill(0, 1, 1, 0),
                kill(4, 1, 1, 0),
                kill(9, 1, 1, 0),
                kill(1, 1, 1, 1),
                kill(8, 1, 2, 0),
                kill(4, 1, 3, 1));

        assertThat(deaths(result)).isEqualTo(7);
    }

    @Test
    void shouldRecoverLocalModelsOfSeveral() {
        LocalResult result = run(
                new RecoverProgram(Variant.LOCAL, LENGTH),
                kill(0, 0, 1, 0),
                kill(1, 1, 1, 0),
                kill(4, 1, 1, 0),
                kill(9, 1, 1, 0),
                kill(1, 1, 1, 1));

        assertThat(deaths(result)).isEqualTo(5);
    }

    @Test
    void shouldFollowTheSeedsSchedule() {
        // Rank 2 after the first iteration, ranks 0 and 1 after the second.
        LocalResult result =
                run(new RecoverProgram(Variant.MODEL, 1000), kill(2, 1, 0, 0), kill(0, 2, 0, 0), kill(1, 2, 0, 0));

        assertThat(deaths(result)).isEqualTo(3);
    }
}
