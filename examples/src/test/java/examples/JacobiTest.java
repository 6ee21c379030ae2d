package examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentSkipListMap;
import mpi.MPI;
import mpi.Resilient;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.ulfmj.testkit.LocalResult;
import org.ulfmj.testkit.LocalWorld;
import org.ulfmj.testkit.RankEnd;

/**
 * Tests Jacobi over ranks as threads: the mean and the checksum are, to the last bit, as on one rank without failures,
 * and the mean is as in a plain loop.
 */
class JacobiTest {
    private static final int STEPS = 90;

    private static Heat undisturbed;

    /** What all survivors must have. */
    private record Heat(double mean, long checksum) {}

    @BeforeAll
    static void computeAlone() {
        undisturbed = heat(LocalWorld.of(1), List.of());
    }

    @Test
    void shouldHaveTheMeanOfAPlainLoop() {
        int size = HeatStrip.ROWS + 2;
        double[][] now = new double[size][HeatStrip.WIDTH];
        double[][] next = new double[size][HeatStrip.WIDTH];
        for (int column = 1; column <= HeatStrip.COLUMNS; column++) {
            now[0][column] = next[0][column] = HeatStrip.HOT;
        }
        for (int step = 0; step < STEPS; step++) {
            for (int row = 1; row <= HeatStrip.ROWS; row++) {
                for (int column = 1; column <= HeatStrip.COLUMNS; column++) {
                    next[row][column] = 0.25
                            * (now[row - 1][column]
                                    + now[row + 1][column]
                                    + (now[row][column - 1] + now[row][column + 1]));
                }
            }
            double[][] old = now;
            now = next;
            next = old;
        }
        double sum = 0;
        for (int row = 1; row <= HeatStrip.ROWS; row++) {
            double rowSum = 0;
            for (int column = 1; column <= HeatStrip.COLUMNS; column++) {
                rowSum += now[row][column];
            }
            sum += rowSum;
        }
        assertThat(undisturbed.mean()).isEqualTo(sum / (HeatStrip.ROWS * HeatStrip.COLUMNS));
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4, 7})
    void shouldBeTheSameToTheLastBitWhateverTheNumberOfRanks(int ranks) {
        assertThat(heat(LocalWorld.of(ranks), List.of())).isEqualTo(undisturbed);
    }

    @ParameterizedTest
    @CsvSource({
        "iRecv,31",
        "iSend,42",
        "iSend,180",
        "sendRecv,1",
        "sendRecv,3",
        "barrier,1",
        "barrier,4",
        "allGatherv,1",
        "agree,1",
        "iter,1",
        "iter,90"
    })
    void shouldBeTheSameToTheLastBitWhenARankDiesInACall(String operation, int nth) {
        for (int victim : new int[] {0, 2, 3}) {
            assertThat(heat(LocalWorld.of(4).killing(victim, operation, nth), List.of(victim)))
                    .isEqualTo(undisturbed);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "iter,78",
        "agree,1",
        "shrink,1",
        "allGather,1",
        "iSend,106",
        "iRecv,106",
        "sendRecv,4",
        "barrier,4",
        "allGatherv,1"
    })
    void shouldBeTheSameToTheLastBitAfterTwoDeaths(String operation, int nth) {
        for (int victim : new int[] {0, 2, 4}) {
            LocalWorld world = LocalWorld.of(5).killing(1, "iter", 53).killing(victim, operation, nth);
            assertThat(heat(world, List.of(1, victim))).isEqualTo(undisturbed);
        }
    }

    @Test
    void shouldBeginAgainWhenARankDiesTogetherWithTheKeeperOfItsCopy() {
        LocalWorld world = LocalWorld.of(5).killing(2, "iter", 53).killing(3, "iter", 53);
        assertThat(heat(world, List.of(2, 3))).isEqualTo(undisturbed);
    }

    @Test
    void shouldFinishAloneWhenAllOthersDie() {
        LocalWorld world =
                LocalWorld.of(4).killing(0, "iter", 25).killing(3, "iter", 47).killing(1, "iter", 81);
        assertThat(heat(world, List.of(0, 1, 3))).isEqualTo(undisturbed);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void shouldBeTheSameToTheLastBitUnderAnyDeaths(long seed) {
        Random random = new Random(seed);
        for (int round = 0; round < 4; round++) {
            LocalWorld world = LocalWorld.of(5);
            for (int deaths = 1 + random.nextInt(3); deaths > 0; deaths--) {
                world.killing(1 + random.nextInt(4), "*", 1 + random.nextInt(800));
            }
            assertThat(heat(world, null)).as("seed %d, round %d", seed, round).isEqualTo(undisturbed);
        }
    }

    /**
     * Runs Jacobi and returns the result. Requires that exactly these ranks were killed, unless {@code victims} is
     * null, and that all other ranks have the same result.
     */
    private static Heat heat(LocalWorld world, List<Integer> victims) {
        Map<Integer, Heat> heats = new ConcurrentSkipListMap<>();
        LocalResult result = world.run(() -> {
                    MPI.Init(new String[0]);
                    Jacobi jacobi = new Jacobi(STEPS);
                    Resilient.run(MPI.COMM_WORLD, jacobi);
                    heats.put(MPI.COMM_WORLD.getRank(), new Heat(jacobi.mean(), jacobi.checksum()));
                    MPI.Finalize();
                })
                .requireSurvivorsSucceeded();
        if (victims != null) {
            assertThat(result.ranks(RankEnd.KILLED)).containsExactlyInAnyOrderElementsOf(victims);
        }
        assertThat(heats.keySet()).containsAll(result.ranks(RankEnd.FINALIZED));
        assertThat(heats.values())
                .isNotEmpty()
                .allMatch(heats.values().iterator().next()::equals);
        return heats.values().iterator().next();
    }
}
