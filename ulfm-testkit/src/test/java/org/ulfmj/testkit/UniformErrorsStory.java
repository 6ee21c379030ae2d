package org.ulfmj.testkit;

import static org.ulfmj.testkit.Programs.errorClass;
import static org.ulfmj.testkit.Programs.ints;

import java.nio.IntBuffer;
import java.util.Arrays;
import java.util.SplittableRandom;
import mpi.Info;
import mpi.Intracomm;
import mpi.MPI;
import mpi.Request;

/**
 * A program of collectives on a communicator with uniform errors: all ranks that live to the end must have got the same
 * error class in each operation. Public, since the worlds of mutants call it.
 */
public final class UniformErrorsStory {
    private static final int ROUNDS = 6;
    private static final int KINDS = 8;
    private static final int NONE = -1;

    private final long seed;
    /** By rank: the error classes that it met, two places per round, and in the last place that of the dup. */
    private final int[][] met;

    private final boolean[] isThrough;

    private UniformErrorsStory(long seed, int ranks) {
        this.seed = seed;
        this.met = new int[ranks][2 * ROUNDS + 1];
        this.isThrough = new boolean[ranks];
    }

    /**
     * Runs this program for the seeds from {@code first} to {@code last}, and stops soon after ten have failed. Returns
     * what went wrong with the lowest seed that failed, or an empty text.
     */
    public static String run(Long first, Long last, Integer ranks, String faults) {
        return Stories.run(first, last, ranks, faults, seed -> new UniformErrorsStory(seed, ranks)::main);
    }

    private void main() throws Exception {
        MPI.Init(new String[0]);
        int rank = MPI.COMM_WORLD.getRank();
        int[] mine = met[rank];
        Arrays.fill(mine, NONE);
        Intracomm[] made = new Intracomm[1];
        Info info = new Info();
        info.set("mpi_error_uniform", "coll");
        mine[2 * ROUNDS] = errorClass(() -> made[0] = MPI.COMM_WORLD.dupWithInfo(info));
        SplittableRandom shared = new SplittableRandom(seed);
        for (int round = 0; round < ROUNDS && made[0] != null; round++) {
            round(made[0], shared.nextInt(KINDS), mine, 2 * round);
        }
        MPI.Finalize();
        // The errors of this rank count only now that it has finalized: a rank that dies may have got an outcome that
        // the others never learn.
        isThrough[rank] = true;
        for (int other = 0; other < met.length; other++) {
            if (isThrough[other] && !Arrays.equals(met[other], mine)) {
                throw new AssertionError("rank " + rank + " met " + Arrays.toString(mine) + ", rank " + other + " met "
                        + Arrays.toString(met[other]));
            }
        }
    }

    private static void round(Intracomm comm, int kind, int[] mine, int at) {
        int size = comm.getSize();
        int rank = comm.getRank();
        int[] value = {rank == 0 ? 7 : 1};
        switch (kind) {
            case 0 ->
                mine[at] = errorClass(() -> {
                    comm.allReduce(value, 1, MPI.INT, MPI.SUM);
                    require(value[0], 6 + size);
                });
            case 1 ->
                mine[at] = errorClass(() -> {
                    comm.bcast(value, 1, MPI.INT, 0);
                    require(value[0], 7);
                });
            case 2 -> mine[at] = errorClass(() -> comm.reduce(value, 1, MPI.INT, MPI.SUM, 0));
            case 3 ->
                mine[at] = errorClass(() -> require(comm.split(rank % 2, 0).getSize(), (size + 1 - rank % 2) / 2));
            case 4 -> mine[at] = errorClass(() -> require(comm.dup().getSize(), size));
            case 5 -> {
                Intracomm later = comm.iDup();
                mine[at] = errorClass(() -> later.getRequest().waitFor());
                if (later.isNull() != (mine[at] != MPI.SUCCESS)) {
                    throw new AssertionError("iDup ended with " + mine[at] + " and " + later);
                }
            }
            case 6 -> {
                // In this gather the senders send too much: their part ends at once, and the error arises only at the
                // root.
                IntBuffer sent = ints(rank == 0 ? 7 : 1);
                Request bcast = comm.iBcast(sent, 1, MPI.INT, 0);
                Request gather =
                        comm.iGather(ints(1, 2), rank == 0 ? 1 : 2, MPI.INT, ints(new int[size]), 1, MPI.INT, 0);
                mine[at + 1] = errorClass(gather::waitFor);
                mine[at] = errorClass(() -> {
                    bcast.waitFor();
                    require(sent.get(0), 7);
                });
            }
            default -> {
                IntBuffer first = ints(rank == 0 ? 7 : 1);
                Request sum = comm.iAllReduce(first, 1, MPI.INT, MPI.SUM);
                Request barrier = comm.iBarrier();
                // The program's own agreement runs beside those that decide the errors of the two operations, and each
                // rank may meet them in another order.
                errorClass(() -> comm.agree(1));
                mine[at + 1] = errorClass(barrier::waitFor);
                mine[at] = errorClass(() -> {
                    sum.waitFor();
                    require(first.get(0), 6 + size);
                });
            }
        }
    }

    private static void require(int value, int expected) {
        if (value != expected) {
            throw new AssertionError("got " + value + ", right is " + expected);
        }
    }
}
