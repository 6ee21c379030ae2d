package examples;

import java.nio.IntBuffer;
import java.util.Random;
import mpi.Intracomm;
import mpi.MPI;
import mpi.ProcFailedException;
import mpi.Request;
import mpi.RevokedException;

/**
 * Runs 60 rounds of non-blocking collectives of short and long vectors on two communicators at the same time; when a
 * rank is killed, the survivors shrink and go on. Each survivor prints how many failures it met, and how many ranks the
 * last communicator had, on which the results that it checks were right.
 */
public final class KilledWhileStarted {
    private static final int ROUNDS = 60;
    private static final int LONG = 100_000;

    private KilledWhileStarted() {}

    public static void main(String[] args) {
        MPI.Init(args);
        Intracomm comm = MPI.COMM_WORLD;
        int failures = 0;
        int done = 0;
        while (done < ROUNDS) {
            try {
                done = rounds(comm, done);
            } catch (ProcFailedException | RevokedException failure) {
                failures++;
                comm.revoke();
                comm = comm.shrink();
                IntBuffer least = MPI.newIntBuffer(1).put(0, done);
                comm.iAllReduce(least, 1, MPI.INT, MPI.MIN).waitFor();
                done = least.get(0);
            }
        }
        System.out.println("failures " + failures + ", right on " + comm.getSize());
        MPI.Finalize();
    }

    private static int rounds(Intracomm comm, int from) {
        Intracomm other = comm.dup();
        try {
            for (int round = from; round < ROUNDS; round++) {
                IntBuffer shortOne = filled(1, comm.getRank());
                IntBuffer longOne = filled(LONG, comm.getRank());
                Request[] requests = {
                    comm.iAllReduce(shortOne, 1, MPI.INT, MPI.SUM),
                    other.iAllReduce(longOne, LONG, MPI.INT, MPI.MAX),
                    comm.iBarrier(),
                    other.iBcast(filled(LONG, 0), LONG, MPI.INT, 0)
                };
                Request last = requests[new Random().nextInt(requests.length)];
                for (Request request : requests) {
                    if (request != last) {
                        request.waitFor();
                    }
                }
                last.waitFor();
                int size = comm.getSize();
                require(shortOne.get(0), size * (size - 1) / 2);
                require(longOne.get(LONG - 1), size - 1);
            }
            comm.barrier();
            return ROUNDS;
        } catch (ProcFailedException | RevokedException failure) {
            other.revoke();
            throw failure;
        }
    }

    private static IntBuffer filled(int count, int value) {
        IntBuffer buffer = MPI.newIntBuffer(count);
        for (int i = 0; i < count; i++) {
            buffer.put(i, value);
        }
        return buffer;
    }

    private static void require(int value, int right) {
        if (value != right) {
            throw new AssertionError("got " + value + ", right is " + right);
        }
    }
}
