package org.ulfmj.benchmarks.differential;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.IntBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.IntStream;
import mpi.CartComm;
import mpi.CartParms;
import mpi.DistGraphNeighbors;
import mpi.GraphComm;
import mpi.Group;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.ShiftParms;

/**
 * Prints what package mpi says about topologies: each rank writes lines to the file DIRECTORY/RANK, in the form in
 * which {@code topologies.c} writes them with another MPI. {@code benchmarks/differential} compares both.
 */
public final class TopologyLines {
    private static final int MOST_DIMS = 4;
    private static final int ROOM = 400;
    private static final int UNTOUCHED = -9;

    private final PrintWriter out;
    private final Intracomm world = MPI.COMM_WORLD;
    private final int rank = world.getRank();
    private final int size = world.getSize();

    private TopologyLines(PrintWriter out) {
        this.out = out;
    }

    public static void main(String[] args) throws IOException {
        String[] arguments = MPI.Init(args);
        MPI.COMM_WORLD.setErrhandler(MPI.ERRORS_RETURN);
        MPI.COMM_SELF.setErrhandler(MPI.ERRORS_RETURN);
        Path file = Path.of(arguments[0], Integer.toString(MPI.COMM_WORLD.getRank()));
        try (PrintWriter out = new PrintWriter(file.toFile())) {
            new TopologyLines(out).write();
        }
        MPI.Finalize();
    }

    private void write() {
        if (rank == 0) {
            allDims();
        }
        allGrids();
        allGraphs();
        allDistGraphs();
    }

    private void numbers(String name, int... values) {
        out.print(" " + name);
        for (int i = 0; i < values.length; i++) {
            out.print((i == 0 ? "=" : ",") + values[i]);
        }
    }

    private void endLine() {
        out.print("\n");
    }

    // Dimensions

    private void allDims() {
        int[] fixed = {1, 2, 3, 4, 6, 8, -1};
        int[] large = {1000, 1024, 4096, 5040, 7919, 65536, 99991, 999983, 2147483646, 2147483647, 0, -5};
        for (int count = 0; count <= MOST_DIMS; count++) {
            int[] given = new int[count];
            for (int nodes = 1; nodes <= 64; nodes++) {
                oneDims(nodes, given);
                for (int at = 0; at < count; at++) {
                    for (int length : fixed) {
                        given[at] = length;
                        oneDims(nodes, given);
                        int other = (at + 1) % count;
                        if (other != at) {
                            given[other] = 2;
                            oneDims(nodes, given);
                            given[other] = 0;
                        }
                    }
                    given[at] = 0;
                }
            }
            for (int nodes : large) {
                oneDims(nodes, given);
            }
        }
    }

    private void oneDims(int nodes, int[] given) {
        out.print("dims " + nodes);
        numbers("given", given);
        int[] dims = given.clone();
        try {
            CartComm.createDims(nodes, dims);
            numbers("result", dims);
        } catch (MPIException e) {
            out.print(" error " + e.getErrorClass());
        }
        endLine();
    }

    // Neighbour collectives

    private void received(String name, int[] data) {
        int last = data.length;
        while (last > 0 && data[last - 1] == UNTOUCHED) {
            last--;
        }
        out.print("  " + name);
        numbers("received", Arrays.copyOf(data, last));
        endLine();
    }

    private static int[] untouched() {
        int[] data = new int[ROOM];
        Arrays.fill(data, UNTOUCHED);
        return data;
    }

    /**
     * Runs neighbour collectives of a grid or graph. The calls iNeighborAllToAll and iNeighborAllToAllv are left out if
     * {@code hasSameNeighbors}; the program in C says why.
     *
     * @param sent how many items neighborAllToAllv sends to each destination
     * @param gotten how many items neighborAllToAllv receives from each source
     * @param hasSameNeighbors whether this is a grid in which both neighbours in some dimension are one rank
     */
    private void collectives(Intracomm comm, int[] sent, int[] gotten, boolean hasSameNeighbors) {
        int sources = gotten.length;
        int destinations = sent.length;
        int first = 1000 * comm.getRank();
        int[] send = IntStream.range(first, first + ROOM).toArray();
        int[] receive = untouched();
        comm.neighborAllGather(send, 2, MPI.INT, receive, 2, MPI.INT);
        received("allGather", receive);
        int[] twos = IntStream.range(0, sources).map(i -> 2).toArray();
        int[] rdispls =
                IntStream.range(0, sources).map(i -> 3 * (sources - 1 - i) + 1).toArray();
        receive = untouched();
        comm.neighborAllGatherv(send, 2, MPI.INT, receive, twos, rdispls, MPI.INT);
        received("allGatherv", receive);
        receive = untouched();
        comm.neighborAllToAll(send, 2, MPI.INT, receive, 2, MPI.INT);
        received("allToAll", receive);
        int[] sdispls = IntStream.range(0, destinations)
                .map(i -> 6 * (destinations - 1 - i))
                .toArray();
        rdispls = IntStream.range(0, sources).map(i -> 6 * i + 1).toArray();
        receive = untouched();
        comm.neighborAllToAllv(send, sent, sdispls, MPI.INT, receive, gotten, rdispls, MPI.INT);
        received("allToAllv", receive);
        IntBuffer data = IntBuffer.wrap(send);
        receive = untouched();
        comm.iNeighborAllGather(data, 2, MPI.INT, IntBuffer.wrap(receive), 2, MPI.INT)
                .waitFor();
        received("iAllGather", receive);
        if (hasSameNeighbors) {
            return;
        }
        receive = untouched();
        comm.iNeighborAllToAll(data, 2, MPI.INT, IntBuffer.wrap(receive), 2, MPI.INT)
                .waitFor();
        received("iAllToAll", receive);
        receive = untouched();
        comm.iNeighborAllToAllv(data, sent, sdispls, MPI.INT, IntBuffer.wrap(receive), gotten, rdispls, MPI.INT)
                .waitFor();
        received("iAllToAllv", receive);
    }

    private void members(Intracomm comm) {
        int[] ranks = IntStream.range(0, comm.getSize()).toArray();
        numbers("members", Group.translateRanks(comm.getGroup(), ranks, world.getGroup()));
    }

    // Grids

    private void allGrids() {
        grid();
        for (int a = 1; a <= size; a++) {
            for (int b = 0; a * (b == 0 ? 1 : b) <= size; b++) {
                for (int c = 0; c == 0 || b > 0 && a * b * c <= size; c++) {
                    grid(b == 0 ? new int[] {a} : c == 0 ? new int[] {a, b} : new int[] {a, b, c});
                }
            }
        }
    }

    private void grid(int... dims) {
        for (int mask = 0; mask < 1 << dims.length; mask++) {
            grid(dims, flags(mask, dims.length));
        }
    }

    private static boolean[] flags(int mask, int count) {
        boolean[] flags = new boolean[count];
        for (int i = 0; i < count; i++) {
            flags[i] = (mask >> i & 1) == 1;
        }
        return flags;
    }

    private void grid(int[] dims, boolean[] periods) {
        int count = dims.length;
        CartComm comm = world.createCart(dims, periods, false);
        out.print("grid");
        numbers("dims", dims);
        numbers(
                "periods",
                IntStream.range(0, count).map(i -> periods[i] ? 1 : 0).toArray());
        if (comm.isNull()) {
            out.print(" null\n");
            return;
        }
        members(comm);
        CartParms own = comm.getTopo();
        numbers("own", IntStream.range(0, count).map(own::getCoord).toArray());
        endLine();
        for (int other = 0; other < comm.getSize(); other++) {
            int[] coords = comm.getCoords(other);
            out.print("  rank " + other);
            numbers("coords", coords);
            for (int i = 0; i < count; i++) {
                coords[i] += periods[i] ? (other - 2) * dims[i] : 0;
            }
            out.print(" back " + comm.getRank(coords) + "\n");
        }
        int[] sent = new int[2 * count];
        int[] gotten = new int[2 * count];
        boolean hasSameNeighbors = false;
        for (int direction = 0; direction < count; direction++) {
            hasSameNeighbors |= periods[direction] && dims[direction] <= 2;
            for (int disp = -4; disp <= 4; disp++) {
                ShiftParms shift = comm.shift(direction, disp);
                out.print("  shift " + direction + " " + disp + ": " + shift.getRankSource() + " " + shift.getRankDest()
                        + "\n");
            }
            sent[2 * direction] = gotten[2 * direction + 1] = 1 + direction;
            sent[2 * direction + 1] = gotten[2 * direction] = 3 + direction;
        }
        for (int mask = 0; mask < 1 << count; mask++) {
            CartComm slice = comm.sub(flags(mask, count));
            out.print("  slice " + mask);
            members(slice);
            numbers("coords", slice.getCoords(slice.getRank()));
            endLine();
            slice.free();
        }
        if (count > 0) {
            collectives(comm, sent, gotten, hasSameNeighbors);
        }
        comm.free();
    }

    // Graphs

    /** Collects the edges of a graph, node by node, in the form that createGraph takes. */
    private static final class Edges {
        private final int[] index;
        private int node;
        private int[] edges = new int[0];

        Edges(int nodes) {
            index = new int[nodes];
        }

        void node(int... neighbors) {
            int end = edges.length;
            edges = Arrays.copyOf(edges, end + neighbors.length);
            System.arraycopy(neighbors, 0, edges, end, neighbors.length);
            index[node++] = edges.length;
        }
    }

    private void allGraphs() {
        for (int nodes = 1; nodes <= size; nodes++) {
            int count = nodes;
            Edges ring = new Edges(nodes);
            Edges star = new Edges(nodes);
            Edges pairs = new Edges(nodes);
            for (int node = 0; node < nodes; node++) {
                ring.node((node + 1) % nodes, (node + nodes - 1) % nodes);
                if (node == 0) {
                    star.node(IntStream.range(1, nodes).map(i -> count - i).toArray());
                } else {
                    star.node(0);
                }
                if ((node ^ 1) < nodes) {
                    pairs.node(node ^ 1, node, node ^ 1);
                } else {
                    pairs.node(node);
                }
            }
            graph("ring", ring);
            graph("star", star);
            graph("pairs", pairs);
        }
    }

    private void graph(String name, Edges edges) {
        GraphComm comm = world.createGraph(edges.index, edges.edges, false);
        out.print("graph " + name);
        if (comm.isNull()) {
            out.print(" null\n");
            return;
        }
        members(comm);
        for (int other = 0; other < edges.index.length; other++) {
            numbers("neighbors", comm.getNeighbors(other));
        }
        endLine();
        int[] threes = threes(comm.getNeighbors(comm.getRank()).length);
        collectives(comm, threes, threes, false);
        comm.free();
    }

    private static int[] threes(int count) {
        return IntStream.range(0, count).map(i -> 3).toArray();
    }

    // Distributed graphs

    private void allDistGraphs() {
        int next = (rank + 1) % size;
        int previous = (rank + size - 1) % size;
        if (size > 2) {
            distGraph(
                    "adjacent",
                    world.createDistGraphAdjacent(
                            new int[] {previous, rank, previous, next},
                            new int[] {1, 2, 3, 4},
                            new int[] {next, next, previous, rank},
                            new int[] {1, 3, 4, 2},
                            MPI.INFO_NULL,
                            false),
                    false);
        }
        distGraph(
                "cycle",
                world.createDistGraphAdjacent(new int[] {previous}, new int[] {next}, MPI.INFO_NULL, false),
                false);
        boolean names = rank == size - 1;
        int[] sources = IntStream.range(0, names ? size : 0).toArray();
        int[] degrees = IntStream.of(sources).map(from -> size - from).toArray();
        int[] destinations = IntStream.of(sources)
                .flatMap(from -> IntStream.range(from, size).map(to -> size - 1 - (to - from)))
                .toArray();
        int[] weights = IntStream.of(sources)
                .flatMap(from -> IntStream.range(from, size).map(to -> 10 * from + size - 1 - (to - from)))
                .toArray();
        distGraph(
                "named by one",
                world.createDistGraph(sources, degrees, destinations, weights, MPI.INFO_NULL, false),
                false);
        distGraph(
                "without weights", world.createDistGraph(sources, degrees, destinations, MPI.INFO_NULL, false), false);
        distGraph(
                "named by others",
                world.createDistGraph(
                        new int[] {next},
                        new int[] {size},
                        IntStream.range(0, size).toArray(),
                        IntStream.range(0, size).map(to -> 100 * rank + to).toArray(),
                        MPI.INFO_NULL,
                        false),
                true);
    }

    private void distGraph(String name, GraphComm comm, boolean isSorted) {
        DistGraphNeighbors neighbors = comm.getDistGraphNeighbors();
        int inDegree = neighbors.getInDegree();
        int outDegree = neighbors.getOutDegree();
        int[] in = IntStream.range(0, inDegree).map(neighbors::getSource).toArray();
        int[] inWeights =
                IntStream.range(0, inDegree).map(neighbors::getSourceWeight).toArray();
        if (isSorted) {
            long[] both = IntStream.range(0, inDegree)
                    .mapToLong(i -> (long) in[i] << Integer.SIZE | inWeights[i])
                    .sorted()
                    .toArray();
            for (int i = 0; i < inDegree; i++) {
                in[i] = (int) (both[i] >> Integer.SIZE);
                inWeights[i] = (int) both[i];
            }
        }
        out.print("dist " + name + " " + (neighbors.isWeighted() ? 1 : 0));
        numbers("sources", in);
        numbers("weights", neighbors.isWeighted() ? inWeights : new int[0]);
        if (!isSorted) {
            numbers(
                    "destinations",
                    IntStream.range(0, outDegree).map(neighbors::getDestination).toArray());
            numbers(
                    "weights",
                    IntStream.range(0, neighbors.isWeighted() ? outDegree : 0)
                            .map(neighbors::getDestinationWeight)
                            .toArray());
        }
        endLine();
        if (!isSorted) {
            collectives(comm, threes(outDegree), threes(inDegree), false);
        }
        comm.free();
    }
}
