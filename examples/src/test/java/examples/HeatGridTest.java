package examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import mpi.MPI;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.ulfmj.testkit.LocalWorld;
import org.ulfmj.testkit.RankEnd;

/**
 * Tests the example HeatGrid over ranks that are threads: every bit of the plate is as in a plain loop, without deaths
 * and with one or three.
 */
class HeatGridTest {
    private static final int STEPS = 70;

    private static double[] expected;

    @BeforeAll
    static void computeInAPlainLoop() {
        int rows = HeatBlock.ROWS;
        int columns = HeatBlock.COLUMNS;
        double[][] now = new double[rows + 2][columns + 2];
        double[][] next = new double[rows + 2][columns + 2];
        for (int column = 1; column <= columns; column++) {
            now[0][column] = next[0][column] = HeatBlock.HOT;
        }
        for (int step = 0; step < STEPS; step++) {
            for (int row = 1; row <= rows; row++) {
                for (int column = 1; column <= columns; column++) {
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
        double[][] last = now;
        expected = IntStream.range(0, rows * columns)
                .mapToDouble(i -> last[i / columns + 1][i % columns + 1])
                .toArray();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 6, 7})
    void shouldBeThePlateOfAPlainLoop(int ranks) {
        assertSamePlate(LocalWorld.of(ranks), List.of());
    }

    @ParameterizedTest
    @CsvSource({
        "0, iter, 1",
        "3, iter, 70",
        "1, createCart, 1",
        "3, neighborAllToAllv, 1",
        "0, neighborAllToAllv, 33",
        "4, allGatherv, 1",
        "0, allGatherv, 4",
        "5, allReduce, 1",
        "3, agree, 1"
    })
    void shouldBeTheSameToTheLastBitWhenARankDiesInACall(int victim, String operation, int nth) {
        assertSamePlate(LocalWorld.of(6).killing(victim, operation, nth), List.of(victim));
    }

    @Test
    void shouldBeTheSameToTheLastBitAfterSeveralDeaths() {
        LocalWorld world =
                LocalWorld.of(6).killing(4, "iter", 30).killing(1, "shrink", 1).killing(0, "iter", 55);
        assertSamePlate(world, List.of(0, 1, 4));
    }

    private static void assertSamePlate(LocalWorld world, List<Integer> victims) {
        List<double[]> plates = Collections.synchronizedList(new ArrayList<>());
        var result = world.run(() -> {
                    MPI.Init(new String[0]);
                    HeatGrid heat = new HeatGrid(STEPS);
                    heat.run(MPI.COMM_WORLD);
                    plates.add(heat.plate());
                    MPI.Finalize();
                })
                .requireSurvivorsSucceeded();
        assertThat(result.ranks(RankEnd.KILLED)).containsExactlyInAnyOrderElementsOf(victims);
        assertThat(plates).hasSize(result.ranks(RankEnd.FINALIZED).size()).allSatisfy(plate -> assertThat(plate)
                .containsExactly(expected));
    }
}
