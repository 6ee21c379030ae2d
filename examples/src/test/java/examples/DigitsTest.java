package examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.ulfmj.testkit.LocalResult;
import org.ulfmj.testkit.LocalWorld;
import org.ulfmj.testkit.RankEnd;

/**
 * Tests Digits over ranks as threads. The gradient is a sum over all images, no matter which ranks hold them, so deaths
 * must not change what is learnt, except for the order of additions.
 */
class DigitsTest {
    private static final String ITERATIONS = "12";
    private static final Offset<Double> ROUNDING = Offset.offset(1e-9);

    @TempDir
    private Path directory;

    @Test
    void shouldLearnTheSameWhateverTheNumberOfRanks() throws IOException {
        assertSameWeights(weights(LocalWorld.of(1)), weights(LocalWorld.of(5)));
    }

    @ParameterizedTest
    @CsvSource({"allGather,1", "allReduce,1", "allReduce,7", "allReduce,12", "agree,1"})
    void shouldLearnTheSameWhenARankDiesInACall(String operation, int nth) throws IOException {
        double[] undisturbed = weights(LocalWorld.of(1));
        for (int victim : new int[] {0, 2, 3}) {
            assertSameWeights(undisturbed, weights(LocalWorld.of(4).killing(victim, operation, nth), victim));
        }
    }

    @ParameterizedTest
    @CsvSource({"revoke,1", "agree,1", "shrink,1", "allGather,2", "bcast,1", "allGather,3", "allReduce,9"})
    void shouldLearnTheSameWhenAnotherRankDiesDuringRecovery(String operation, int nth) throws IOException {
        LocalWorld world = LocalWorld.of(5).killing(0, "allReduce", 5).killing(3, operation, nth);
        assertSameWeights(weights(LocalWorld.of(1)), weights(world, 0, 3));
    }

    @Test
    void shouldFinishAloneWhenAllOthersDie() throws IOException {
        LocalWorld world = LocalWorld.of(4)
                .killing(0, "allReduce", 3)
                .killing(1, "allReduce", 6)
                .killing(3, "shrink", 2);
        assertSameWeights(weights(LocalWorld.of(1)), weights(world, 0, 1, 3));
    }

    /** Runs Digits, requires that exactly these ranks were killed, and returns the weights. */
    private double[] weights(LocalWorld world, Integer... victims) throws IOException {
        Path file = directory.resolve("weights");
        Files.deleteIfExists(file);
        LocalResult result = world.run(() -> Digits.main(new String[] {ITERATIONS, file.toString()}));
        result.requireSurvivorsSucceeded();
        assertThat(result.ranks(RankEnd.KILLED)).containsExactly(victims);
        return Files.readAllLines(file).stream()
                .mapToDouble(Double::parseDouble)
                .toArray();
    }

    private static void assertSameWeights(double[] expected, double[] actual) {
        assertThat(expected).hasSize(SoftmaxModel.WEIGHTS);
        assertThat(actual).hasSameSizeAs(expected);
        for (int i = 0; i < expected.length; i++) {
            assertThat(actual[i]).isCloseTo(expected[i], ROUNDING);
        }
    }
}
