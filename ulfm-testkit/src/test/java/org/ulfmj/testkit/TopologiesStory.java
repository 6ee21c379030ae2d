package org.ulfmj.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import mpi.CartComm;
import mpi.GraphComm;
import mpi.Intracomm;
import mpi.MPI;
import mpi.ProcFailedException;
import mpi.Resilient;
import mpi.RevokedException;

/**
 * A program that makes a grid and a graph of all ranks, and exchanges data with neighbours in each. After a failure,
 * the survivors make both anew. Each received value is checked.
 */
public final class TopologiesStory {
    private static final int ROUNDS = 3;
    private static final int TAG = 4;

    private final List<Intracomm> made = new ArrayList<>();

    private TopologiesStory() {}

    /**
     * Runs this program for the seeds from {@code first} to {@code last}, and stops soon after ten have failed. Returns
     * what went wrong with the lowest seed that failed, or an empty text.
     */
    public static String run(Long first, Long last, Integer ranks, String faults) {
        return Stories.run(first, last, ranks, faults, seed -> TopologiesStory::recoverByHand);
    }

    /**
     * Does the same as {@link #run}, with slices of a grid (sub) in addition, in the retry loop {@code Resilient},
     * which revokes the topologies made from the loop's communicator together with it.
     */
    static String runWithSlices(long first, long last, int ranks, String faults) {
        return Stories.run(first, last, ranks, faults, seed -> TopologiesStory::recoverInALoop);
    }

    private static void recoverInALoop() {
        MPI.Init(new String[0]);
        Resilient.run(MPI.COMM_WORLD, comm -> new TopologiesStory().exchangeInSlices(comm));
        MPI.Finalize();
    }

    private static void recoverByHand() {
        MPI.Init(new String[0]);
        TopologiesStory story = new TopologiesStory();
        Survival.untilDone(MPI.COMM_WORLD, story::attempt);
        MPI.Finalize();
    }

    /**
     * After a failure the rank revokes the topologies that it has made in this attempt, since other ranks may wait for
     * it on them.
     */
    private void attempt(Intracomm comm) {
        made.clear();
        try {
            exchange(comm);
        } catch (ProcFailedException | RevokedException failure) {
            made.forEach(Intracomm::revoke);
            throw failure;
        }
    }

    private <T extends Intracomm> T keep(T comm) {
        made.add(comm);
        return comm;
    }

    private void exchange(Intracomm comm) {
        int[] dims = new int[2];
        CartComm.createDims(comm.getSize(), dims);
        CartComm grid = keep(comm.createCart(dims, new boolean[] {true, false}, true));
        for (int round = 0; round < ROUNDS; round++) {
            exchange(grid, round);
        }
        GraphComm graph = keep(graph(comm));
        int size = graph.getSize();
        int rank = graph.getRank();
        int[] received = {-1};
        // Exchanges by point-to-point messages: a rank that could not make the graph sends none, and the others must
        // not wait for it for ever.
        graph.sendRecv(
                new int[] {rank},
                1,
                MPI.INT,
                (rank + 1) % size,
                TAG,
                received,
                1,
                MPI.INT,
                (rank + size - 1) % size,
                TAG);
        assertThat(received[0]).isEqualTo((rank + size - 1) % size);
        int[] of = new int[2];
        graph.neighborAllGather(new int[] {rank}, 1, MPI.INT, of, 1, MPI.INT);
        assertThat(of).containsExactlyInAnyOrder((rank + size - 1) % size, rank);
    }

    /**
     * Exchanges in the grid, the graph and the slices of a grid. A slice may lack the dead rank, while a member of the
     * slice meets the failure elsewhere before it makes the slice.
     */
    private void exchangeInSlices(Intracomm comm) {
        exchange(comm);
        int[] dims = new int[2];
        CartComm.createDims(comm.getSize(), dims);
        CartComm grid = comm.createCart(dims, new boolean[] {true, false}, true);
        for (int remaining = 0; remaining < 2; remaining++) {
            CartComm slice = grid.sub(new boolean[] {remaining == 0, remaining == 1});
            for (int round = 0; round < ROUNDS; round++) {
                exchange(slice, round);
            }
        }
    }

    /**
     * Makes a distributed graph in which each rank names the outgoing edges of the next rank: to that rank itself and
     * to the one after it.
     */
    private static GraphComm graph(Intracomm comm) {
        int size = comm.getSize();
        int about = (comm.getRank() + 1) % size;
        int[] destinations = {about, (about + 1) % size};
        return comm.createDistGraph(new int[] {about}, new int[] {2}, destinations, MPI.INFO_NULL, true);
    }

    private static void exchange(CartComm grid, int round) {
        int rank = grid.getRank();
        int parts = 2 * grid.getTopo().getDimCount();
        int[] sent =
                IntStream.range(0, parts).map(part -> value(rank, part, round)).toArray();
        int[] received = new int[parts];
        if (round % 2 == 0) {
            grid.neighborAllToAll(sent, 1, MPI.INT, received, 1, MPI.INT);
        } else {
            grid.iNeighborAllToAll(IntBuffer.wrap(sent), 1, MPI.INT, IntBuffer.wrap(received), 1, MPI.INT)
                    .waitFor();
        }
        for (int part = 0; part < parts; part++) {
            int direction = part % 2 == 0 ? 1 : -1;
            int from = grid.shift(part / 2, direction).getRankSource();
            assertThat(received[part]).isEqualTo(from == MPI.PROC_NULL ? 0 : value(from, part ^ 1, round));
        }
    }

    private static int value(int rank, int part, int round) {
        return 1 + 1000 * rank + 10 * part + round;
    }
}
