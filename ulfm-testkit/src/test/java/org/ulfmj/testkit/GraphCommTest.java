package org.ulfmj.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ulfmj.testkit.Programs.raises;
import static org.ulfmj.testkit.Programs.slots;

import java.util.stream.IntStream;
import mpi.Comm;
import mpi.DistGraphNeighbors;
import mpi.GraphComm;
import mpi.GraphParms;
import mpi.Intracomm;
import mpi.MPI;
import org.junit.jupiter.api.Test;

/**
 * Tests graph communicators, both those of createGraph, where each rank gives the whole graph, and distributed graphs:
 * what their inquiry functions return, which copies keep the graph, and which arguments these functions and the
 * creation refuse.
 */
class GraphCommTest {
    private static final int[] NONE = {};

    @Test
    void shouldKnowTheWholeGraph() {
        Worlds.run(4, (world, rank) -> {
            int[] edges = {1, 2, 0, 0, 2, 99};
            GraphComm graph = world.createGraph(new int[] {2, 3, 5}, edges, true);
            edges[0] = 2;
            assertThat(graph.isNull()).isEqualTo(rank == 3);
            if (rank == 3) {
                assertThat(raises(MPI.ERR_COMM, graph::getDims)).hasMessageContaining("getDims");
                return;
            }
            assertThat(slots(graph)).containsExactly(0, 1, 2);
            assertThat(graph.getTopology()).isEqualTo(MPI.GRAPH);
            GraphParms parameters = graph.getDims();
            assertThat(parameters.getIndexCount()).isEqualTo(3);
            assertThat(IntStream.range(0, 3).map(parameters::getIndex)).containsExactly(2, 3, 5);
            assertThat(parameters.getEdgeCount()).isEqualTo(5);
            assertThat(IntStream.range(0, 5).map(parameters::getEdge)).containsExactly(1, 2, 0, 0, 2);
            assertThatThrownBy(() -> parameters.getEdge(5)).hasMessage("GraphParms.getEdge: i is 5; allowed: 0 to 4");
            assertThat(graph.getNeighbors(0)).containsExactly(1, 2);
            assertThat(graph.getNeighbors(1)).containsExactly(0);
            assertThat(graph.getNeighbors(2)).containsExactly(0, 2);
            assertThat(graph.map(new int[] {0, 0}, null)).isEqualTo(rank < 2 ? rank : MPI.UNDEFINED);
        });
    }

    @Test
    void shouldLeaveAllOutOfAGraphWithoutNodes() {
        Worlds.run(2, (world, rank) -> {
            assertThat(world.createGraph(NONE, null, false).isNull()).isTrue();
            GraphComm lonely = world.createGraph(new int[] {0, 0}, null, false);
            assertThat(lonely.getNeighbors(1)).isEmpty();
            lonely.neighborAllToAll(null, 1, MPI.INT, null, 1, MPI.INT);
        });
    }

    @Test
    void shouldKeepTheOrderOfOwnEdges() {
        Worlds.run(3, (world, rank) -> {
            int next = (rank + 1) % 3;
            int previous = (rank + 2) % 3;
            int[] sources = {previous, rank, MPI.PROC_NULL, previous};
            int[] weights = {4, 0, 9, 5};
            GraphComm graph = world.createDistGraphAdjacent(
                    sources, weights, new int[] {next, next, rank}, new int[] {4, 5, 0}, MPI.INFO_NULL, false);
            sources[0] = 0;
            weights[0] = 77;
            assertThat(graph.getTopology()).isEqualTo(MPI.DIST_GRAPH);
            DistGraphNeighbors neighbors = graph.getDistGraphNeighbors();
            assertThat(neighbors.isWeighted()).isTrue();
            assertThat(sources(neighbors)).containsExactly(previous, rank, MPI.PROC_NULL, previous);
            assertThat(IntStream.range(0, 4).map(neighbors::getSourceWeight)).containsExactly(4, 0, 9, 5);
            assertThat(destinations(neighbors)).containsExactly(next, next, rank);
            assertThat(IntStream.range(0, 3).map(neighbors::getDestinationWeight))
                    .containsExactly(4, 5, 0);
            assertThatThrownBy(() -> neighbors.getDestination(3))
                    .hasMessage("DistGraphNeighbors.getDestination: i is 3; allowed: 0 to 2");

            DistGraphNeighbors plain = world.createDistGraphAdjacent(
                            new int[] {previous}, new int[] {next}, MPI.INFO_NULL, true)
                    .getDistGraphNeighbors();
            assertThat(plain.isWeighted()).isFalse();
            assertThat(plain.getSourceWeight(0)).isZero();
            assertThat(sources(plain)).containsExactly(previous);
            assertThat(destinations(plain)).containsExactly(next);
        });
    }

    /**
     * The distributed graph has an edge from each rank to each higher rank. Another rank than the source names the
     * edge, and the weight encodes the naming rank, the source and the destination.
     */
    @Test
    void shouldTellEachRankItsEdgesWhicheverRankNamesThem() {
        int size = 5;
        Worlds.run(size, (world, rank) -> {
            int about = (rank + 2) % size;
            int degree = size - 1 - about;
            int[] destinations =
                    IntStream.range(0, degree).map(i -> size - 1 - i).toArray();
            int[] weights = IntStream.of(destinations)
                    .map(to -> weight(rank, about, to))
                    .toArray();
            GraphComm graph = world.createDistGraph(
                    new int[] {about}, new int[] {degree}, destinations, weights, MPI.INFO_NULL, false);
            DistGraphNeighbors neighbors = graph.getDistGraphNeighbors();
            // The library orders the incoming edges of a rank by the rank that named them, which here is
            // (source + 3) mod size.
            int[] sources = IntStream.range(0, size)
                    .map(namer -> (namer + 2) % size)
                    .filter(source -> source < rank)
                    .toArray();
            assertThat(neighbors.isWeighted()).isTrue();
            assertThat(neighbors.getInDegree()).isEqualTo(rank);
            assertThat(neighbors.getOutDegree()).isEqualTo(size - 1 - rank);
            assertThat(sources(neighbors)).containsExactly(sources);
            for (int i = 0; i < rank; i++) {
                int namer = (sources[i] + 3) % size;
                assertThat(neighbors.getSourceWeight(i)).isEqualTo(weight(namer, sources[i], rank));
            }
            for (int i = 0; i < size - 1 - rank; i++) {
                assertThat(neighbors.getDestination(i)).isEqualTo(size - 1 - i);
                assertThat(neighbors.getDestinationWeight(i)).isEqualTo(weight((rank + 3) % size, rank, size - 1 - i));
            }
        });
    }

    private static int weight(int namer, int from, int to) {
        return 100 * namer + 10 * from + to;
    }

    @Test
    void shouldTakeEdgesInTheOrderInWhichOneRankNamesThem() {
        Worlds.run(3, (world, rank) -> {
            int[] sources = rank == 1 ? new int[] {2, 0, 2} : NONE;
            int[] degrees = rank == 1 ? new int[] {2, 3, 1} : NONE;
            int[] destinations = rank == 1 ? new int[] {1, 1, 1, 0, 2, 0} : NONE;
            DistGraphNeighbors neighbors = world.createDistGraph(sources, degrees, destinations, MPI.INFO_NULL, false)
                    .getDistGraphNeighbors();
            assertThat(neighbors.isWeighted()).isFalse();
            int[][] in = {{0, 2}, {2, 2, 0}, {0}};
            int[][] out = {{1, 0, 2}, {}, {1, 1, 0}};
            assertThat(sources(neighbors)).containsExactly(in[rank]);
            assertThat(destinations(neighbors)).containsExactly(out[rank]);
        });
    }

    @Test
    void shouldKeepTheGraphInCopiesOnly() {
        Worlds.run(2, (world, rank) -> {
            int other = 1 - rank;
            GraphComm known = world.createGraph(new int[] {1, 2}, new int[] {1, 0}, false);
            GraphComm own = world.createDistGraphAdjacent(new int[] {other}, new int[] {other}, MPI.INFO_NULL, false);
            for (GraphComm graph : new GraphComm[] {known, own}) {
                GraphComm later = graph.iDup();
                later.getRequest().waitFor();
                for (GraphComm copy : new GraphComm[] {graph.dup(), graph.clone(), later}) {
                    assertThat(Comm.compare(copy, graph)).isEqualTo(MPI.CONGRUENT);
                    assertThat(copy.getTopology()).isEqualTo(graph.getTopology());
                    int[] value = {-1};
                    copy.neighborAllGather(new int[] {rank}, 1, MPI.INT, value, 1, MPI.INT);
                    assertThat(value[0]).isEqualTo(other);
                }
                for (Intracomm plain : new Intracomm[] {graph.split(0, 0), graph.shrink()}) {
                    assertThat(plain).isNotInstanceOf(GraphComm.class);
                    assertThat(plain.getTopology()).isEqualTo(MPI.UNDEFINED);
                }
            }
            assertThat(world.getTopology()).isEqualTo(MPI.UNDEFINED);
            assertThat(raises(MPI.ERR_TOPOLOGY, own::getDims))
                    .hasMessageContaining("getDims on graph of COMM_WORLD: the communicator has a distributed graph");
            assertThat(raises(MPI.ERR_TOPOLOGY, () -> own.getNeighbors(0)))
                    .hasMessageContaining("allowed: a communicator made by createGraph");
            assertThat(raises(MPI.ERR_TOPOLOGY, known::getDistGraphNeighbors))
                    .hasMessageContaining("the communicator's graph is not distributed");
        });
    }

    @Test
    void shouldNameBadGraphs() {
        Worlds.run(2, (world, rank) -> {
            int[] one = {1};
            refused(world, null, one, "index is null");
            refused(world, new int[3], one, "index has 3 nodes; allowed: 0 to 2");
            refused(world, new int[] {-1, 0}, one, "index[0] is -1; allowed: from 0");
            refused(
                    world,
                    new int[] {2, 1},
                    new int[2],
                    "index[1] is 1; allowed: from 2, the edges of the nodes before");
            refused(world, new int[] {0, 2}, one, "edges has 1 elements but index[1] is 2");
            refused(world, new int[] {1, 1}, null, "edges is null but index[1] is 1");
            refused(world, new int[] {1}, one, "edges[0] is 1; allowed: 0 to 0");
            refused(world, new int[] {1, 1}, new int[] {-2}, "edges[0] is -2; allowed: 0 to 1");
            GraphComm graph = world.createGraph(new int[] {0, 0}, NONE, false);
            assertThat(raises(MPI.ERR_RANK, () -> graph.getNeighbors(2)))
                    .hasMessageContaining("rank is 2; allowed: 0 to 1");
            assertThat(raises(MPI.ERR_ARG, () -> graph.map(new int[3], null)))
                    .hasMessageContaining("map on graph of COMM_WORLD: index has 3 nodes");
        });
    }

    private static void refused(Intracomm world, int[] index, int[] edges, String message) {
        assertThat(raises(MPI.ERR_ARG, () -> world.createGraph(index, edges, false)))
                .hasMessageContaining("createGraph on COMM_WORLD: " + message);
    }

    @Test
    void shouldNameBadDistributedGraphs() {
        Worlds.run(2, (world, rank) -> {
            int[] zero = {0};
            int[] one = {1};
            badEdges(() -> world.createDistGraph(null, one, one, MPI.INFO_NULL, false), "sources is null");
            badEdges(
                    () -> world.createDistGraph(new int[] {2}, one, one, MPI.INFO_NULL, false),
                    "sources[0] is 2; allowed: 0 to 1");
            badEdges(
                    () -> world.createDistGraph(one, one, new int[] {MPI.PROC_NULL}, MPI.INFO_NULL, false),
                    "destinations[0] is -2; allowed: 0 to 1");
            badEdges(() -> world.createDistGraph(one, one, null, MPI.INFO_NULL, false), "destinations is null");
            badEdges(
                    () -> world.createDistGraph(one, NONE, one, MPI.INFO_NULL, false),
                    "degrees has 0 elements; allowed: one for each of the 1 sources");
            badEdges(
                    () -> world.createDistGraph(one, new int[] {-1}, NONE, MPI.INFO_NULL, false),
                    "degrees[0] is -1; allowed: 0 to 2147483647");
            badEdges(
                    () -> world.createDistGraph(one, new int[] {2}, one, MPI.INFO_NULL, false),
                    "destinations has 1 elements but the sum of degrees is 2");
            badEdges(
                    () -> world.createDistGraph(one, one, one, null, MPI.INFO_NULL, false),
                    "weights is null; allowed: one for each of the 1 edges");
            badEdges(
                    () -> world.createDistGraph(one, one, one, new int[] {-5}, MPI.INFO_NULL, false),
                    "weights[0] is -5; allowed: 0 to 2147483647");
            assertThat(raises(MPI.ERR_INFO, () -> world.createDistGraph(one, one, one, null, false)))
                    .hasMessageContaining("createDistGraph on COMM_WORLD: info is null");
            badAdjacent(() -> world.createDistGraphAdjacent(null, NONE, MPI.INFO_NULL, false), "sources is null");
            badAdjacent(
                    () -> world.createDistGraphAdjacent(new int[] {7}, NONE, MPI.INFO_NULL, false),
                    "sources[0] is 7; allowed: 0 to 1, or MPI.PROC_NULL");
            badAdjacent(
                    () -> world.createDistGraphAdjacent(NONE, new int[] {-1}, MPI.INFO_NULL, false),
                    "destinations[0] is -1");
            badAdjacent(
                    () -> world.createDistGraphAdjacent(one, NONE, one, one, MPI.INFO_NULL, false),
                    "sourceWeights has 0 elements; allowed: one for each of the 1 edges");
            badAdjacent(
                    () -> world.createDistGraphAdjacent(one, one, one, new int[2], MPI.INFO_NULL, false),
                    "destWeights has 2 elements; allowed: one for each of the 1 edges");
            assertThat(raises(MPI.ERR_INFO, () -> world.createDistGraphAdjacent(one, one, null, false)))
                    .hasMessageContaining("createDistGraphAdjacent on COMM_WORLD: info is null");
            badAdjacent(
                    () -> world.createDistGraphAdjacent(rank == 0 ? zero : one, NONE, MPI.INFO_NULL, false),
                    "the caller's rank " + rank + " is in sources 1 times and in destinations 0 times");
        });
    }

    private static void badEdges(Runnable call, String message) {
        assertThat(raises(MPI.ERR_ARG, call::run)).hasMessageContaining("createDistGraph on COMM_WORLD: " + message);
    }

    private static void badAdjacent(Runnable call, String message) {
        assertThat(raises(MPI.ERR_ARG, call::run))
                .hasMessageContaining("createDistGraphAdjacent on COMM_WORLD: " + message);
    }

    private static int[] sources(DistGraphNeighbors neighbors) {
        return IntStream.range(0, neighbors.getInDegree())
                .map(neighbors::getSource)
                .toArray();
    }

    private static int[] destinations(DistGraphNeighbors neighbors) {
        return IntStream.range(0, neighbors.getOutDegree())
                .map(neighbors::getDestination)
                .toArray();
    }
}
