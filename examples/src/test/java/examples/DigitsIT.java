package examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DigitsIT {
    private static final Duration LIMIT = Duration.ofSeconds(90);
    private static final Pattern ACCURACY = Pattern.compile("finished .* test accuracy ([0-9.]+) % .*");
    private static final Pattern SHARDS = Pattern.compile(" *(\\d+) ranks? +(\\d+) images in shards of ([0-9 ]+)");

    private static double undisturbed;

    @Test
    @Tag("release")
    void shouldGiveTheWeightsOfOneRankWithoutDeaths(@TempDir Path directory) throws IOException {
        double[] alone = weights(directory.resolve("alone"), 1);
        double[] together = weights(directory.resolve("together"), 4);
        assertThat(alone).hasSize(SoftmaxModel.WEIGHTS);
        for (int i = 0; i < alone.length; i++) {
            assertThat(together[i]).isCloseTo(alone[i], org.assertj.core.data.Offset.offset(1e-9));
        }
    }

    @BeforeAll
    static void learnUndisturbed() {
        undisturbed = accuracy(digits("-n", "4", "examples", "Digits"));
    }

    @Test
    void shouldLearnAsWellWhenARankIsKilled() {
        learnBesideADeath(2, 40);
    }

    @Tag("long")
    @Test
    void shouldLearnAsWellWhenRankZeroIsKilled() {
        learnBesideADeath(0, 40);
    }

    @Tag("release")
    @ParameterizedTest
    @ValueSource(ints = {1, 300})
    void shouldLearnAsWellWhenARankIsKilledInTheFirstOrLastIteration(int iteration) {
        learnBesideADeath(2, iteration);
    }

    private static void learnBesideADeath(int rank, int iteration) {
        MpiexecRun run =
                digits("-n", "4", "--inject", "kill:rank=" + rank + "@iter=" + iteration, "examples", "Digits");

        assertThat(run.outText()).contains("from the death of rank " + rank);
        assertThat(accuracy(run)).isGreaterThanOrEqualTo(93.0).isBetween(undisturbed - 1, undisturbed + 1);
        List<Matcher> shards =
                run.out().stream().map(SHARDS::matcher).filter(Matcher::matches).toList();
        assertThat(shards).as(run.toString()).hasSize(2);
        assertThat(shards).extracting(shard -> shard.group(1)).containsExactlyInAnyOrder("4", "3");
        assertThat(shards).allSatisfy(shard -> {
            int sum = Arrays.stream(shard.group(3).trim().split(" +"))
                    .mapToInt(Integer::parseInt)
                    .sum();
            assertThat(sum).isEqualTo(DigitImages.TRAINING_COUNT).isEqualTo(Integer.parseInt(shard.group(2)));
        });
    }

    /** Rank 1 is killed first. Ranks 4 and 5 are killed while the others recover from that, or in later iterations. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "kill:rank=1@iter=40; kill:rank=4@op=shrink#1; kill:rank=5@op=bcast#1",
                "kill:rank=1@iter=40; kill:rank=4@op=agree#1; kill:rank=5@op=allGather#2",
                "kill:rank=1@iter=40; kill:rank=4@iter=120; kill:rank=5@iter=200"
            })
    @Tag("release")
    void shouldLearnAsWellWhenThreeOfEightAreKilled(String plan) {
        MpiexecRun run = digits("-n", "8", "--inject", plan, "examples", "Digits");
        assertThat(run.err()).filteredOn(line -> line.contains(" killed at ")).hasSize(3);
        assertThat(run.outText()).contains("finished   300 iterations on 5 ranks");
        assertThat(accuracy(run)).isGreaterThanOrEqualTo(93.0);
    }

    private static MpiexecRun digits(String... arguments) {
        MpiexecRun run = MpiexecRun.of(LIMIT, arguments);
        assertThat(run.exitCode()).as(run.toString()).isZero();
        return run;
    }

    private static double accuracy(MpiexecRun run) {
        return run.out().stream()
                .map(ACCURACY::matcher)
                .filter(Matcher::matches)
                .mapToDouble(line -> Double.parseDouble(line.group(1)))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no accuracy in " + run));
    }

    private static double[] weights(Path file, int ranks) throws IOException {
        digits("-n", Integer.toString(ranks), "examples", "Digits", "300", file.toString());
        return Files.readAllLines(file).stream()
                .mapToDouble(Double::parseDouble)
                .toArray();
    }
}
