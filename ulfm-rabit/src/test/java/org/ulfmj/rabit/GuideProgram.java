package org.ulfmj.rabit;

import mpi.MPI;

/**
 * The example of the original's guide: input that is prepared only where its result is not known. A rank that is
 * started again after the first operation gets the recorded result without preparing any input. For ranks that are
 * processes.
 */
public final class GuideProgram {
    private static final int LENGTH = 3;

    private GuideProgram() {}

    public static void main(String[] args) throws Exception {
        Rabit.run(GuideProgram::program);
    }

    private static void program() {
        int ranks = Rabit.worldSize();
        int[] data = new int[LENGTH];
        Rabit.loadCheckpoint();
        Rabit.allreduce(data, MPI.MAX, () -> fill("maximum", data));
        StringBuilder line = new StringBuilder("rank " + Rabit.rank() + ": maxima");
        for (int i = 0; i < LENGTH; i++) {
            line.append(' ').append(data[i]);
        }
        Rabit.allreduce(data, MPI.SUM, () -> fill("sum", data));
        line.append(", sums");
        for (int i = 0; i < LENGTH; i++) {
            line.append(' ').append(data[i]);
            if (data[i] != ranks * (ranks - 1) / 2 + ranks * i) {
                throw new AssertionError(line);
            }
        }
        System.out.println(line);
    }

    private static void fill(String what, int[] data) {
        System.out.println("rank " + Rabit.rank() + " prepares the " + what);
        for (int i = 0; i < LENGTH; i++) {
            data[i] = Rabit.rank() + i;
        }
    }
}
