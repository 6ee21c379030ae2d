package org.ulfmj.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ulfmj.testkit.Programs.raises;

import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import mpi.CartComm;
import mpi.Datatype;
import mpi.GraphComm;
import mpi.Intracomm;
import mpi.MPI;
import mpi.Request;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests neighbour collectives against their definition: in grids, also with periodic dimensions of one and two ranks,
 * in graphs with several edges between two ranks, and with the kinds of buffers of {@link Ints}.
 */
class NeighborCollectivesTest {
    private static final int UNTOUCHED = -999;

    /** A case: the shape of a Cartesian grid, and the kind of buffer that the collective gets. */
    record Grid(Ints kind, boolean[] periods, int... dims) {
        int size() {
            return Arrays.stream(dims).reduce(1, (a, b) -> a * b);
        }

        @Override
        public String toString() {
            return kind + " " + Arrays.toString(dims) + " " + Arrays.toString(periods);
        }
    }

    static List<Grid> grids() {
        List<Grid> all = new ArrayList<>();
        int[][] shapes = {{1}, {2}, {3}, {4}, {1, 1}, {1, 2}, {2, 1}, {2, 2}, {2, 3}, {1, 2, 2}};
        for (int[] dims : shapes) {
            for (int mask = 0; mask < 1 << dims.length; mask++) {
                boolean[] periods = new boolean[dims.length];
                for (int i = 0; i < dims.length; i++) {
                    periods[i] = (mask >> i & 1) == 1;
                }
                Ints[] kinds = Ints.values();
                all.add(new Grid(kinds[all.size() % kinds.length], periods, dims));
            }
        }
        return all;
    }

    private static int item(int rank, int part, int i) {
        return 10_000 * rank + 100 * part + i;
    }

    private static int[] untouched(int count) {
        int[] values = new int[count];
        Arrays.fill(values, UNTOUCHED);
        return values;
    }

    /**
     * Returns the rank of this rank's neighbour number {@code part} in the grid, computed from coordinates; PROC_NULL
     * beyond an edge that is not periodic.
     */
    private static int neighbor(Grid grid, CartComm comm, int part) {
        int[] at = comm.getCoords(comm.getRank());
        int direction = part / 2;
        at[direction] += part % 2 == 0 ? -1 : 1;
        boolean isInside = at[direction] >= 0 && at[direction] < grid.dims[direction];
        return isInside || grid.periods[direction] ? comm.getRank(at) : MPI.PROC_NULL;
    }

    @ParameterizedTest
    @MethodSource("grids")
    void shouldGatherFromTheNeighboursInAGrid(Grid grid) {
        Worlds.run(grid.size(), (world, rank) -> {
            CartComm comm = world.createCart(grid.dims, grid.periods, false);
            int parts = 2 * grid.dims.length;
            int[] expected = untouched(2 * parts);
            int[] expectedParts = untouched(3 * parts);
            int[] counts = new int[parts];
            int[] displs = new int[parts];
            for (int part = 0; part < parts; part++) {
                int from = neighbor(grid, comm, part);
                counts[part] = 2;
                displs[part] = 3 * (parts - 1 - part) + 1;
                if (from != MPI.PROC_NULL) {
                    for (int i = 0; i < 2; i++) {
                        expected[2 * part + i] = item(from, 0, i);
                        expectedParts[displs[part] + i] = item(from, 0, i);
                    }
                }
            }
            Object send = grid.kind.of(item(rank, 0, 0), item(rank, 0, 1));
            Object receive = grid.kind.of(untouched(2 * parts));
            comm.neighborAllGather(send, 2, MPI.INT, receive, 2, MPI.INT);
            assertThat(Ints.in(receive)).isEqualTo(withSlice(grid, expected));
            Object receiveParts = grid.kind.of(untouched(3 * parts));
            comm.neighborAllGatherv(send, 2, MPI.INT, receiveParts, counts, displs, MPI.INT);
            assertThat(Ints.in(receiveParts)).isEqualTo(withSlice(grid, expectedParts));
        });
    }

    private static int[] withSlice(Grid grid, int[] expected) {
        return Ints.in(grid.kind.of(expected));
    }

    /**
     * In neighbour all-to-all, part 2d + 1 (to the upper neighbour in dimension d) arrives there as part 2d (from the
     * lower neighbour), and the other way round.
     */
    @ParameterizedTest
    @MethodSource("grids")
    void shouldExchangeWithTheNeighboursInAGrid(Grid grid) {
        Worlds.run(grid.size(), (world, rank) -> {
            CartComm comm = world.createCart(grid.dims, grid.periods, false);
            int parts = 2 * grid.dims.length;
            int[] sent = IntStream.range(0, 2 * parts)
                    .map(i -> item(rank, i / 2, i % 2))
                    .toArray();
            int[] expected = untouched(2 * parts);
            int[] sentParts = untouched(8 * parts);
            int[] expectedParts = untouched(8 * parts);
            int[] sendCounts = new int[parts];
            int[] receiveCounts = new int[parts];
            int[] sdispls = new int[parts];
            int[] rdispls = new int[parts];
            for (int part = 0; part < parts; part++) {
                sendCounts[part] = part + 1;
                receiveCounts[part] = (part ^ 1) + 1;
                sdispls[part] = 8 * (parts - 1 - part);
                rdispls[part] = 8 * part + 1;
                for (int i = 0; i < sendCounts[part]; i++) {
                    sentParts[sdispls[part] + i] = item(rank, part, i);
                }
                int from = neighbor(grid, comm, part);
                for (int i = 0; from != MPI.PROC_NULL && i < receiveCounts[part]; i++) {
                    expectedParts[rdispls[part] + i] = item(from, part ^ 1, i);
                    if (i < 2) {
                        expected[2 * part + i] = item(from, part ^ 1, i);
                    }
                }
                if (from != MPI.PROC_NULL) {
                    expected[2 * part + 1] = item(from, part ^ 1, 1);
                }
            }
            Object receive = grid.kind.of(untouched(2 * parts));
            comm.neighborAllToAll(grid.kind.of(sent), 2, MPI.INT, receive, 2, MPI.INT);
            assertThat(Ints.in(receive)).isEqualTo(withSlice(grid, expected));
            Object receiveParts = grid.kind.of(untouched(8 * parts));
            comm.neighborAllToAllv(
                    grid.kind.of(sentParts),
                    sendCounts,
                    sdispls,
                    MPI.INT,
                    receiveParts,
                    receiveCounts,
                    rdispls,
                    MPI.INT);
            assertThat(Ints.in(receiveParts)).isEqualTo(withSlice(grid, expectedParts));
        });
    }

    /**
     * Four kinds of non-blocking neighbour collectives are under way at once, and each rank waits for them in an order
     * that depends on its rank; the results must be those of the blocking forms.
     */
    @ParameterizedTest
    @MethodSource("grids")
    void shouldExchangeInAGridWithoutWaiting(Grid grid) {
        Worlds.run(grid.size(), (world, rank) -> {
            CartComm comm = world.createCart(grid.dims, grid.periods, false);
            int parts = 2 * grid.dims.length;
            int[] sent =
                    IntStream.range(0, 8 * parts).map(i -> item(rank, 0, i)).toArray();
            int[] sendCounts = IntStream.range(0, parts).map(part -> part + 1).toArray();
            int[] receiveCounts =
                    IntStream.range(0, parts).map(part -> (part ^ 1) + 1).toArray();
            int[] threes = IntStream.range(0, parts).map(part -> 3).toArray();
            int[] displs = IntStream.range(0, parts).map(part -> 8 * part + 1).toArray();
            int[][] expected = new int[4][];
            Arrays.setAll(expected, i -> untouched(8 * parts + 1));
            comm.neighborAllGather(sent, 2, MPI.INT, expected[0], 2, MPI.INT);
            comm.neighborAllGatherv(sent, 3, MPI.INT, expected[1], threes, displs, MPI.INT);
            comm.neighborAllToAll(sent, 2, MPI.INT, expected[2], 2, MPI.INT);
            comm.neighborAllToAllv(sent, sendCounts, displs, MPI.INT, expected[3], receiveCounts, displs, MPI.INT);

            IntBuffer data = grid.kind == Ints.DIRECT ? Programs.ints(sent) : IntBuffer.wrap(sent.clone());
            IntBuffer[] received = new IntBuffer[4];
            Arrays.setAll(received, i -> {
                int[] nothing = untouched(8 * parts + 1);
                return i % 2 == 0 ? Programs.ints(nothing) : IntBuffer.wrap(nothing);
            });
            Request[] requests = {
                comm.iNeighborAllGather(data, 2, MPI.INT, received[0], 2, MPI.INT),
                comm.iNeighborAllGatherv(data, 3, MPI.INT, received[1], threes, displs, MPI.INT),
                comm.iNeighborAllToAll(data, 2, MPI.INT, received[2], 2, MPI.INT),
                comm.iNeighborAllToAllv(data, sendCounts, displs, MPI.INT, received[3], receiveCounts, displs, MPI.INT)
            };
            // The program may change its displacements, counts and the positions of its buffers while operations are
            // under way: each operation has copies.
            Arrays.fill(displs, 0);
            Arrays.fill(receiveCounts, 0);
            for (IntBuffer each : received) {
                each.position(1).limit(2);
            }
            for (int i = 3; i >= 0; i--) {
                requests[(i + rank) % 4].waitFor();
            }
            for (int i = 0; i < 4; i++) {
                assertThat(requests[i].isNull()).isTrue();
                assertThat(Ints.in(received[i])).as("form " + i).isEqualTo(expected[i]);
            }
        });
    }

    /**
     * Tests that a short and a long message from one rank to the same rank in one neighbour collective arrive as the
     * right parts, though short and long messages are sent in different ways.
     */
    @Test
    void shouldKeepALongMessageAndAShortOneToTheSameRankApart() {
        int[] lengths = {1, 70_000};
        Worlds.run(2, (world, rank) -> {
            CartComm ring = world.createCart(new int[] {2}, new boolean[] {true}, false);
            for (int down = 0; down < 2; down++) {
                int[] sendCounts = {lengths[down], lengths[1 - down]};
                int[] receiveCounts = {lengths[1 - down], lengths[down]};
                int[] send = new int[140_000];
                Arrays.fill(send, 0, 70_000, 10 + rank);
                Arrays.fill(send, 70_000, 140_000, 20 + rank);
                int[] receive = untouched(140_000);
                int[] displs = {0, 70_000};
                for (int round = 0; round < 3; round++) {
                    ring.neighborAllToAllv(send, sendCounts, displs, MPI.INT, receive, receiveCounts, displs, MPI.INT);
                }
                for (int part = 0; part < 2; part++) {
                    int value = (part == 0 ? 20 : 10) + 1 - rank;
                    assertThat(Arrays.stream(receive, displs[part], displs[part] + receiveCounts[part]))
                            .allMatch(each -> each == value);
                    assertThat(Arrays.stream(receive, displs[part] + receiveCounts[part], displs[part] + 70_000))
                            .allMatch(each -> each == UNTOUCHED);
                }
            }
        });
    }

    @Test
    void shouldFollowTheEdgesOfAGraph() {
        Worlds.run(3, (world, rank) -> {
            // The graph has two edges between ranks 0 and 1, one between 1 and 2, and two from rank 2 to itself.
            int[][] neighbors = {{1, 1}, {0, 2, 0}, {2, 1, 2}};
            int[] edges = Arrays.stream(neighbors).flatMapToInt(Arrays::stream).toArray();
            GraphComm graph = world.createGraph(new int[] {2, 5, 8}, edges, false);
            assertExchange(
                    graph,
                    neighbors[rank].length,
                    new int[][][] {
                                {{1, 0}, {1, 2}},
                                {{0, 0}, {2, 1}, {0, 1}},
                                {{2, 0}, {1, 1}, {2, 2}}
                            }
                            [rank]);
        });
    }

    @Test
    void shouldFollowTheEdgesOfADistributedGraph() {
        Worlds.run(3, (world, rank) -> {
            int[][] sources = {{2, 0, MPI.PROC_NULL, 2}, {}, {0, 2, 0}};
            int[][] destinations = {{2, 0, 2}, {MPI.PROC_NULL}, {2, 0, 0}};
            GraphComm graph = world.createDistGraphAdjacent(sources[rank], destinations[rank], MPI.INFO_NULL, false);
            assertExchange(
                    graph,
                    destinations[rank].length,
                    new int[][][] {{{2, 1}, {0, 1}, null, {2, 2}}, {}, {{0, 0}, {2, 0}, {0, 2}}}[rank]);
        });
    }

    /**
     * Checks four kinds of neighbour collectives, blocking and non-blocking, against the expected parts.
     *
     * @param expected for each incoming edge in order: the rank of the source, and which of its parts it sends here;
     *     null where the source is PROC_NULL
     */
    private static void assertExchange(Intracomm comm, int destinations, int[][] expected) {
        int rank = comm.getRank();
        int[] one = untouched(expected.length);
        int[] parts = untouched(expected.length);
        for (int i = 0; i < expected.length; i++) {
            if (expected[i] != null) {
                one[i] = item(expected[i][0], 0, 0);
                parts[i] = item(expected[i][0], expected[i][1], 0);
            }
        }
        int[] send = IntStream.range(0, destinations)
                .map(part -> item(rank, part, 0))
                .toArray();
        int[] ones = new int[Math.max(destinations, expected.length)];
        Arrays.fill(ones, 1);
        int[] displs = IntStream.range(0, ones.length).toArray();

        int[] received = untouched(expected.length);
        comm.neighborAllGather(new int[] {item(rank, 0, 0)}, 1, MPI.INT, received, 1, MPI.INT);
        assertThat(received).containsExactly(one);
        received = untouched(expected.length);
        comm.neighborAllGatherv(new int[] {item(rank, 0, 0)}, 1, MPI.INT, received, ones, displs, MPI.INT);
        assertThat(received).containsExactly(one);
        received = untouched(expected.length);
        comm.neighborAllToAll(send, 1, MPI.INT, received, 1, MPI.INT);
        assertThat(received).containsExactly(parts);
        received = untouched(expected.length);
        comm.neighborAllToAllv(send, ones, displs, MPI.INT, received, ones, displs, MPI.INT);
        assertThat(received).containsExactly(parts);

        IntBuffer sent = IntBuffer.wrap(send);
        IntBuffer own = Programs.ints(item(rank, 0, 0));
        IntBuffer[] started = new IntBuffer[4];
        Arrays.setAll(started, i -> Programs.ints(untouched(expected.length)));
        Request.waitAll(new Request[] {
            comm.iNeighborAllGather(own, 1, MPI.INT, started[0], 1, MPI.INT),
            comm.iNeighborAllGatherv(own, 1, MPI.INT, started[1], ones, displs, MPI.INT),
            comm.iNeighborAllToAll(sent, 1, MPI.INT, started[2], 1, MPI.INT),
            comm.iNeighborAllToAllv(sent, ones, displs, MPI.INT, started[3], ones, displs, MPI.INT)
        });
        for (int i = 0; i < 4; i++) {
            assertThat(Ints.in(started[i])).containsExactly(i < 2 ? one : parts);
        }
    }

    /**
     * Sends columns of a matrix that arrive as rows of another one, and rows that arrive as columns; at the ends of the
     * line the parts of missing neighbours stay unchanged.
     */
    @Test
    void shouldExchangeItemsOfDerivedTypes() {
        Worlds.run(3, (world, rank) -> {
            CartComm line = world.createCart(new int[] {3}, new boolean[1], false);
            Datatype column = Datatype.createVector(4, 1, 2, MPI.INT);
            Datatype columns = Datatype.createResized(column, 0, Integer.BYTES);
            columns.commit();
            int[] matrix = IntStream.range(0, 8).map(i -> item(rank, 0, i)).toArray();
            int[] ones = {1, 1};
            int[] at = {0, 1};
            int[] rows = {4, 4};
            int[] starts = {0, 4};
            int[] expected = untouched(8);
            for (int i = 0; i < 4; i++) {
                if (rank > 0) {
                    expected[i] = item(rank - 1, 0, 2 * i + 1);
                }
                if (rank < 2) {
                    expected[4 + i] = item(rank + 1, 0, 2 * i);
                }
            }
            int[] received = untouched(8);
            line.neighborAllToAllv(matrix, ones, at, columns, received, rows, starts, MPI.INT);
            assertThat(received).containsExactly(expected);
            IntBuffer started = Programs.ints(untouched(8));
            IntBuffer data = IntBuffer.wrap(matrix);
            line.iNeighborAllToAllv(data, ones, at, columns, started, rows, starts, MPI.INT)
                    .waitFor();
            assertThat(Ints.in(started)).containsExactly(expected);

            // The first four items of each neighbour arrive as a column: item i of neighbour {@code part} is written to
            // place 2 i + part.
            int[] turned = untouched(8);
            IntBuffer turnedLater = IntBuffer.wrap(untouched(8));
            line.neighborAllGather(matrix, 4, MPI.INT, turned, 1, columns);
            line.iNeighborAllGather(data, 4, MPI.INT, turnedLater, 1, columns).waitFor();
            for (int i = 0; i < 4; i++) {
                assertThat(turned[2 * i]).isEqualTo(rank > 0 ? item(rank - 1, 0, i) : UNTOUCHED);
                assertThat(turned[2 * i + 1]).isEqualTo(rank < 2 ? item(rank + 1, 0, i) : UNTOUCHED);
            }
            assertThat(turnedLater.array()).containsExactly(turned);
        });
    }

    @Test
    void shouldBringItemsOfOneTypeAsItemsOfAnother() {
        Worlds.run(2, (world, rank) -> {
            CartComm ring = world.createCart(new int[] {2}, new boolean[] {true}, false);
            byte[] received = new byte[16];
            ring.neighborAllGather(new long[] {-1L - rank}, 1, MPI.LONG, received, 8, MPI.BYTE);
            byte last = (byte) (-2 + rank);
            assertThat(received).containsExactly(last, -1, -1, -1, -1, -1, -1, -1, last, -1, -1, -1, -1, -1, -1, -1);
        });
    }

    @Test
    void shouldNameBadArgumentsOfFormsThatDoNotWait() {
        Worlds.run(2, (world, rank) -> {
            IntBuffer four = Programs.ints(new int[4]);
            int[] ones = {1, 1};
            assertThat(raises(MPI.ERR_TOPOLOGY, () -> world.iNeighborAllToAll(four, 1, MPI.INT, four, 1, MPI.INT)))
                    .hasMessageContaining("iNeighborAllToAll on COMM_WORLD: the communicator has no topology");
            CartComm ring = world.createCart(new int[] {2}, new boolean[] {true}, false);
            assertThat(raises(MPI.ERR_BUFFER, () -> ring.iNeighborAllGather(four, 4, MPI.INT, four, 4, MPI.INT)))
                    .hasMessageContaining("recvbuf holds 4 items of MPI.INT but recvcount times the number of sources");
            assertThat(raises(
                            MPI.ERR_ARG,
                            () -> ring.iNeighborAllGatherv(four, 1, MPI.INT, four, ones, new int[1], MPI.INT)))
                    .hasMessageContaining("displs has 1 elements");
            assertThat(raises(
                            MPI.ERR_COUNT,
                            () -> ring.iNeighborAllToAllv(
                                    four, new int[] {0, -1}, ones, MPI.INT, four, ones, ones, MPI.INT)))
                    .hasMessageContaining("iNeighborAllToAllv")
                    .hasMessageContaining("sendcount[1] is -1");
            assertThatThrownBy(() -> ring.iNeighborAllGather(null, 1, MPI.INT, four, 1, MPI.INT))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("iNeighborAllGather: sendbuf is null but sendcount is 1");
            assertThatThrownBy(() -> ring.iNeighborAllToAll(four, 1, MPI.INT, four.asReadOnlyBuffer(), 1, MPI.INT))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("recvbuf is a read-only buffer");
            assertThatThrownBy(() -> ring.iNeighborAllToAllv(
                            four, ones, ones, MPI.INT, MPI.newCharBuffer(4), ones, ones, MPI.INT))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("its type is MPI.INT");
        });
    }

    @Test
    void shouldNameBadTopologiesAndArguments() {
        Worlds.run(3, (world, rank) -> {
            int[] one = new int[1];
            int[] four = new int[4];
            assertThat(raises(MPI.ERR_TOPOLOGY, () -> world.neighborAllGather(one, 1, MPI.INT, four, 1, MPI.INT)))
                    .hasMessageContaining("neighborAllGather on COMM_WORLD: the communicator has no topology");
            GraphComm lopsided = world.createGraph(new int[] {2, 3, 3}, new int[] {1, 2, 0}, false);
            assertThat(raises(MPI.ERR_TOPOLOGY, () -> lopsided.neighborAllToAll(four, 1, MPI.INT, four, 1, MPI.INT)))
                    .hasMessageContaining("another number of edges from rank 0 to rank 2 than back");
            CartComm ring = world.createCart(new int[] {3}, new boolean[] {true}, false);
            assertThat(raises(MPI.ERR_BUFFER, () -> ring.neighborAllGather(one, 1, MPI.INT, one, 1, MPI.INT)))
                    .hasMessageContaining("recvbuf holds 1 items of MPI.INT but recvcount times the number of sources");
            assertThat(raises(MPI.ERR_BUFFER, () -> ring.neighborAllToAll(one, 1, MPI.INT, four, 1, MPI.INT)))
                    .hasMessageContaining("sendbuf holds 1 items of MPI.INT but sendcount times the number of");
            assertThat(raises(MPI.ERR_COUNT, () -> ring.neighborAllToAll(four, -1, MPI.INT, four, 1, MPI.INT)))
                    .hasMessageContaining("sendcount is -1");
            assertThat(raises(MPI.ERR_TYPE, () -> ring.neighborAllToAll(four, 1, null, four, 1, MPI.INT)))
                    .hasMessageContaining("the type of sendbuf is null");
            int[] ones = {1, 1};
            int[] at = {0, 2};
            assertThat(raises(MPI.ERR_COUNT, () -> ring.neighborAllGatherv(one, 1, MPI.INT, four, one, at, MPI.INT)))
                    .hasMessageContaining("recvcount has 1 elements; allowed: one for each of the 2 sources");
            assertThat(raises(MPI.ERR_ARG, () -> ring.neighborAllGatherv(one, 1, MPI.INT, four, ones, null, MPI.INT)))
                    .hasMessageContaining("displs is null");
            assertThat(raises(
                            MPI.ERR_BUFFER,
                            () -> ring.neighborAllGatherv(one, 1, MPI.INT, four, ones, new int[] {0, 4}, MPI.INT)))
                    .hasMessageContaining("recvbuf holds 4 items but displs[1] is 4 and recvcount[1] is 1");
            assertThat(raises(
                            MPI.ERR_COUNT,
                            () -> ring.neighborAllToAllv(
                                    four, new int[] {1, -2}, at, MPI.INT, four, ones, at, MPI.INT)))
                    .hasMessageContaining("neighborAllToAllv")
                    .hasMessageContaining("sendcount[1] is -2");
            CartComm self = world.createCart(new int[] {1}, new boolean[] {true}, false);
            if (rank == 0) {
                assertThat(raises(MPI.ERR_COUNT, () -> self.neighborAllGather(four, 1, MPI.INT, four, 2, MPI.INT)))
                        .hasMessageContaining("differ for what the rank sends itself");
                assertThat(raises(
                                MPI.ERR_COUNT,
                                () -> self.neighborAllToAllv(
                                        four, new int[] {1, 2}, at, MPI.INT, four, new int[] {1, 2}, at, MPI.INT)))
                        .hasMessageContaining("sendcount (2 of MPI.INT, 8 bytes) and recvcount (1 of MPI.INT");
            }
        });
    }
}
