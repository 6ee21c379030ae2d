package org.ulfmj.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ulfmj.testkit.Programs.raises;
import static org.ulfmj.testkit.Programs.slots;

import java.util.Arrays;
import mpi.CartComm;
import mpi.CartParms;
import mpi.Comm;
import mpi.Intracomm;
import mpi.MPI;
import mpi.ShiftParms;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests Cartesian grids: dimensions, places of ranks, shifts, slices, copies, and the arguments that are refused. */
class CartCommTest {
    private static final boolean[] OPEN = new boolean[3];

    /** Some of the results that createDims gives in Open MPI 4.1.4. */
    @ParameterizedTest
    @CsvSource({
        "1, 0 0, 1 1",
        "6, 0 0, 3 2",
        "7, 0 0, 7 1",
        "12, 0 0 0, 3 2 2",
        "16, 0 0 0, 4 2 2",
        "24, 0 0, 6 4",
        "36, 0 0, 6 6",
        "60, 0 0 0, 5 4 3",
        "64, 0 0 0 0, 4 4 2 2",
        "12, 0 2 0, 3 2 2",
        "12, 3 0, 3 4",
        "15, 3 5, 3 5",
        "2147483647, 0 0, 2147483647 1",
        "2147483646, 0 0 0, 1986 1057 1023",
    })
    void shouldChooseBalancedDimensions(int nodes, String given, String expected) {
        int[] dims = numbers(given);
        CartComm.createDims(nodes, dims);
        assertThat(Arrays.stream(dims).asLongStream().reduce(1, (a, b) -> a * b))
                .isEqualTo(nodes);
        assertThat(dims).containsExactly(numbers(expected));
    }

    @Test
    void shouldChooseNoDimensionForOneRank() {
        CartComm.createDims(1, new int[0]);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0 0, nnodes is 0; allowed: 1 to 2147483647",
        "-3, 0 0, nnodes is -3",
        "6, 0 -1, 'dims[1] is -1; allowed: a length, or 0'",
        "7, 2 0, 'nnodes is 7 and dims is [2, 0]; allowed: lengths whose product divides nnodes'",
        "16, 3 5, 'dims is [3, 5]'",
        "15, 3 1, 'dims is [3, 1]'",
        "6, '', dims is []"
    })
    void shouldRefuseDimensionsThatDoNotFit(int nodes, String given, String message) {
        int[] dims = numbers(given);
        int[] before = dims.clone();
        assertThat(raises(MPI.ERR_DIMS, () -> CartComm.createDims(nodes, dims)))
                .hasMessageContaining("createDims")
                .hasMessageContaining(message);
        assertThat(dims).containsExactly(before);
        assertThat(raises(MPI.ERR_ARG, () -> CartComm.createDims(nodes, null))).hasMessageContaining("dims is null");
    }

    private static int[] numbers(String text) {
        return text == null || text.isEmpty()
                ? new int[0]
                : Arrays.stream(text.split(" ")).mapToInt(Integer::parseInt).toArray();
    }

    @Test
    void shouldNumberRanksByRows() {
        Worlds.run(7, (world, rank) -> {
            CartComm grid = world.createCart(new int[] {2, 3}, new boolean[] {true, false}, true);
            assertThat(grid.isNull()).isEqualTo(rank == 6);
            if (rank == 6) {
                assertThat(raises(MPI.ERR_COMM, grid::getTopo)).hasMessageContaining("getTopo");
                return;
            }
            assertThat(slots(grid)).containsExactly(0, 1, 2, 3, 4, 5);
            assertThat(grid.getTopology()).isEqualTo(MPI.CART);
            CartParms parameters = grid.getTopo();
            assertThat(parameters.getDimCount()).isEqualTo(2);
            assertThat(parameters.getDim(0)).isEqualTo(2);
            assertThat(parameters.getDim(1)).isEqualTo(3);
            assertThat(parameters.getPeriod(0)).isTrue();
            assertThat(parameters.getPeriod(1)).isFalse();
            assertThat(parameters.getCoord(0)).isEqualTo(rank / 3);
            assertThat(parameters.getCoord(1)).isEqualTo(rank % 3);
            assertThat(raises(MPI.ERR_ARG, () -> parameters.getDim(2)))
                    .hasMessage("CartParms.getDim: i is 2; allowed: 0 to 1");
            for (int other = 0; other < 6; other++) {
                assertThat(grid.getCoords(other)).containsExactly(other / 3, other % 3);
                assertThat(grid.getRank(new int[] {other / 3 - 4, other % 3})).isEqualTo(other);
                assertThat(grid.getRank(new int[] {other / 3 + 2, other % 3})).isEqualTo(other);
            }
        });
    }

    @Test
    void shouldKeepItsArgumentsToItself() {
        Worlds.run(2, (world, rank) -> {
            int[] dims = {2};
            boolean[] periods = {false, true};
            CartComm line = world.createCart(dims, periods, false);
            dims[0] = 1;
            periods[0] = true;
            assertThat(line.getTopo().getDim(0)).isEqualTo(2);
            assertThat(line.getTopo().getPeriod(0)).isFalse();
            line.getCoords(1)[0] = 7;
            assertThat(line.getCoords(1)).containsExactly(1);
        });
    }

    @Test
    void shouldShiftAlongEachDimension() {
        Worlds.run(6, (world, rank) -> {
            CartComm grid = world.createCart(new int[] {2, 3}, new boolean[] {true, false}, false);
            int row = rank / 3;
            int column = rank % 3;
            assertShift(grid.shift(0, 1), (1 - row) * 3 + column, (1 - row) * 3 + column);
            assertShift(grid.shift(0, 2), rank, rank);
            assertShift(grid.shift(0, Integer.MIN_VALUE), rank, rank);
            assertShift(grid.shift(1, 0), rank, rank);
            assertShift(
                    grid.shift(1, 1), column == 0 ? MPI.PROC_NULL : rank - 1, column == 2 ? MPI.PROC_NULL : rank + 1);
            assertShift(
                    grid.shift(1, -2), column == 0 ? rank + 2 : MPI.PROC_NULL, column == 2 ? rank - 2 : MPI.PROC_NULL);
            assertShift(grid.shift(1, Integer.MAX_VALUE), MPI.PROC_NULL, MPI.PROC_NULL);
            assertShift(grid.shift(1, Integer.MIN_VALUE), MPI.PROC_NULL, MPI.PROC_NULL);
        });
    }

    private static void assertShift(ShiftParms shift, int source, int dest) {
        assertThat(shift.getRankSource()).isEqualTo(source);
        assertThat(shift.getRankDest()).isEqualTo(dest);
    }

    @Test
    void shouldSliceAGrid() {
        Worlds.run(12, (world, rank) -> {
            CartComm grid = world.createCart(new int[] {2, 3, 2}, new boolean[] {true, false, false}, false);
            int[] at = grid.getCoords(rank);
            CartComm plane = grid.sub(new boolean[] {true, false, true});
            assertThat(plane.getSize()).isEqualTo(4);
            assertThat(plane.getRank()).isEqualTo(2 * at[0] + at[2]);
            assertThat(plane.getCoords(plane.getRank())).containsExactly(at[0], at[2]);
            assertThat(plane.getTopo().getPeriod(0)).isTrue();
            assertThat(plane.getTopo().getPeriod(1)).isFalse();
            int first = 2 * at[1];
            assertThat(slots(plane)).containsExactly(first, first + 1, first + 6, first + 7);
            int[] sum = {rank};
            plane.allReduce(sum, 1, MPI.INT, MPI.SUM);
            assertThat(sum[0]).isEqualTo(4 * first + 14);

            CartComm line = plane.sub(new boolean[] {false, true});
            assertThat(slots(line)).containsExactly(rank - at[2], rank - at[2] + 1);
            CartComm all = grid.sub(new boolean[] {true, true, true});
            assertThat(Comm.compare(all, grid)).isEqualTo(MPI.CONGRUENT);
        });
    }

    @Test
    void shouldHaveGridsWithoutDimensions() {
        Worlds.run(2, (world, rank) -> {
            CartComm point = world.createCart(new int[0], new boolean[0], false);
            assertThat(point.isNull()).isEqualTo(rank == 1);
            CartComm line = world.createCart(new int[] {2}, OPEN, false);
            CartComm own = line.sub(new boolean[1]);
            assertThat(slots(own)).containsExactly(rank);
            for (CartComm each : rank == 0 ? new CartComm[] {point, own} : new CartComm[] {own}) {
                assertThat(each.getTopology()).isEqualTo(MPI.CART);
                assertThat(each.getTopo().getDimCount()).isZero();
                assertThat(each.getRank(null)).isZero();
                assertThat(each.getCoords(0)).isEmpty();
                assertThat(each.sub(new boolean[0]).getSize()).isEqualTo(1);
                assertThat(raises(MPI.ERR_DIMS, () -> each.shift(0, 1)))
                        .hasMessageContaining("direction is 0; allowed: none, because the grid has no dimension");
                each.neighborAllGather(new int[1], 1, MPI.INT, null, 1, MPI.INT);
            }
        });
    }

    @Test
    void shouldKeepTheGridInCopiesOnly() {
        Worlds.run(4, (world, rank) -> {
            CartComm grid = world.createCart(new int[] {2, 2}, OPEN, false);
            CartComm later = grid.iDup();
            assertThat(later.getRequest().isNull()).isFalse();
            later.getRequest().waitFor();
            Intracomm asPlain = grid;
            for (Intracomm copy : new Intracomm[] {grid.dup(), grid.clone(), later, asPlain.dup()}) {
                assertThat(Comm.compare(copy, grid)).isEqualTo(MPI.CONGRUENT);
                assertThat(copy.getTopology()).isEqualTo(MPI.CART);
                assertThat(((CartComm) copy).getCoords(3)).containsExactly(1, 1);
                copy.free();
                assertThat(copy.isNull()).isTrue();
            }
            for (Intracomm other : new Intracomm[] {
                grid.split(0, 0),
                grid.create(grid.getGroup()),
                grid.createGroup(grid.getGroup(), 1),
                grid.shrink(),
                iShrunk(grid),
                grid.replace()
            }) {
                assertThat(other).isNotInstanceOf(CartComm.class);
                assertThat(other.getTopology()).isEqualTo(MPI.UNDEFINED);
                assertThat(other.getSize()).isEqualTo(4);
            }
        });
    }

    private static Intracomm iShrunk(Intracomm comm) {
        Intracomm shrunk = comm.iShrink();
        shrunk.getRequest().waitFor();
        return shrunk;
    }

    @Test
    void shouldSayWhichRankAGridWouldGive() {
        Worlds.run(3, (world, rank) -> {
            CartComm grid = world.createCart(new int[] {3}, OPEN, false);
            assertThat(grid.map(new int[] {2}, OPEN)).isEqualTo(rank < 2 ? rank : MPI.UNDEFINED);
            assertThat(grid.map(new int[] {1, 3}, OPEN)).isEqualTo(rank);
            assertThat(grid.map(new int[0], OPEN)).isEqualTo(rank == 0 ? 0 : MPI.UNDEFINED);
            assertThat(raises(MPI.ERR_DIMS, () -> grid.map(new int[] {2, 2}, OPEN)))
                    .hasMessageContaining(
                            "map on grid of COMM_WORLD: dims is [2, 2]; allowed: lengths with a product of 1 to 3");
            assertThat(raises(MPI.ERR_ARG, () -> grid.map(new int[] {1}, null)))
                    .hasMessageContaining("periods is null; allowed: one for each of the 1 dimensions");
        });
    }

    @Test
    void shouldNameBadArguments() {
        Worlds.run(4, (world, rank) -> {
            assertThat(raises(MPI.ERR_ARG, () -> world.createCart(null, OPEN, false)))
                    .hasMessageContaining("createCart on COMM_WORLD: dims is null");
            assertThat(raises(MPI.ERR_ARG, () -> world.createCart(new int[] {2, 2}, new boolean[1], false)))
                    .hasMessageContaining("periods has 1 elements; allowed: one for each of the 2 dimensions");
            assertThat(raises(MPI.ERR_DIMS, () -> world.createCart(new int[] {2, 0}, OPEN, false)))
                    .hasMessageContaining("dims[1] is 0; allowed: 1 to 4");
            assertThat(raises(MPI.ERR_DIMS, () -> world.createCart(new int[] {-1}, OPEN, false)))
                    .hasMessageContaining("dims[0] is -1");
            assertThat(raises(MPI.ERR_ARG, () -> world.createCart(new int[] {2, 3}, OPEN, false)))
                    .hasMessageContaining("dims is [2, 3]; allowed: lengths with a product of 1 to 4");
            int huge = Integer.MAX_VALUE;
            assertThat(raises(MPI.ERR_ARG, () -> world.createCart(new int[] {huge, huge, huge}, OPEN, false)))
                    .hasMessageContaining("dims is [2147483647, 2147483647, 2147483647]; allowed: lengths");
            CartComm grid = world.createCart(new int[] {2, 2}, new boolean[] {true, false}, false);
            assertThat(raises(MPI.ERR_ARG, () -> grid.getRank(new int[] {9, 2})))
                    .hasMessageContaining("coords[1] is 2; allowed: 0 to 1, because the dimension is not periodic");
            assertThat(raises(MPI.ERR_ARG, () -> grid.getRank(new int[] {0, -1})))
                    .hasMessageContaining("coords[1] is -1");
            assertThat(raises(MPI.ERR_ARG, () -> grid.getRank(new int[1])))
                    .hasMessageContaining("coords has 1 elements; allowed: one for each of the 2 dimensions");
            assertThat(raises(MPI.ERR_ARG, () -> grid.getRank(null))).hasMessageContaining("coords is null");
            assertThat(raises(MPI.ERR_RANK, () -> grid.getCoords(4)))
                    .hasMessageContaining("rank is 4; allowed: 0 to 3");
            assertThat(raises(MPI.ERR_RANK, () -> grid.getCoords(-1))).hasMessageContaining("rank is -1");
            assertThat(raises(MPI.ERR_DIMS, () -> grid.shift(2, 1)))
                    .hasMessageContaining("direction is 2; allowed: 0 to 1");
            assertThat(raises(MPI.ERR_DIMS, () -> grid.shift(-1, 1))).hasMessageContaining("direction is -1");
            assertThat(raises(MPI.ERR_ARG, () -> grid.sub(new boolean[1])))
                    .hasMessageContaining("remainDims has 1 elements");
            assertThat(raises(MPI.ERR_ARG, () -> grid.sub(null))).hasMessageContaining("remainDims is null");
            grid.free();
            assertThat(raises(MPI.ERR_COMM, () -> grid.shift(0, 1))).hasMessageContaining("shift");
            assertThat(raises(MPI.ERR_COMM, () -> grid.sub(OPEN))).hasMessageContaining("sub");
        });
    }
}
