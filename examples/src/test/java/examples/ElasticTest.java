package examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import mpi.MPI;
import mpi.Resilient;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ulfmj.testkit.LocalResult;
import org.ulfmj.testkit.LocalWorld;
import org.ulfmj.testkit.RankEnd;

/**
 * Tests the elastic example over ranks as threads: its weights do not depend on how many ranks there were, and when.
 */
class ElasticTest {
    private static final String ITERATIONS = "12";

    private final Set<Integer> checksums = ConcurrentHashMap.newKeySet();

    private LocalResult run(LocalWorld world, String... ranksBefore) {
        String[] arguments =
                Stream.concat(Stream.of(ITERATIONS), Arrays.stream(ranksBefore)).toArray(String[]::new);
        LocalResult result = world.run(() -> {
            MPI.Init(new String[0]);
            Elastic elastic = new Elastic(new Rehearsal(arguments));
            Resilient.run(MPI.COMM_WORLD, Resilient.Policy.ELASTIC, elastic);
            checksums.add(elastic.checksum());
            MPI.Finalize();
        });
        result.requireSurvivorsSucceeded();
        return result;
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 5})
    void shouldHaveTheSameWeightsForAnyNumberOfRanks(int ranks) {
        run(LocalWorld.of(1));
        run(LocalWorld.of(ranks));
        assertThat(checksums).hasSize(1);
    }

    @Test
    void shouldRefuseAnArgumentThatNamesNoIteration() {
        assertThatThrownBy(() -> new Rehearsal("12", "4"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("'4' must be RANKS@ITERATION, as 4@100");
    }

    @Test
    void shouldHaveTheSameWeightsIfTwoComeAndTheFirstTwoGo() {
        run(LocalWorld.of(1));
        LocalResult result =
                run(LocalWorld.of(2).joining(2).killing(0, "iter", 9).killing(1, "iter", 10), "4@6", "2@11");
        assertThat(checksums).hasSize(1);
        assertThat(result.ranks(RankEnd.FINALIZED)).containsExactly(2, 3);
    }
}
