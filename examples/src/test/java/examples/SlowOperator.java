package examples;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import mpi.Datatype;
import mpi.Intracomm;
import mpi.MPI;
import mpi.Op;
import mpi.UserFunction;

/**
 * A user-defined operator sleeps inside {@code reduce}, {@code allReduce} and {@code scan}, each time at another rank,
 * for as long as the argument says.
 */
public final class SlowOperator {
    private SlowOperator() {}

    /** A sum that sleeps once, when it is called for the first time after it was armed. */
    private static final class SlowSum extends UserFunction {
        private final long sleepNs;
        private boolean armed;
        private long sleptNs;

        SlowSum(long sleepNs) {
            this.sleepNs = sleepNs;
        }

        @Override
        public void call(Object inVec, Object inOutVec, int count, Datatype datatype) {
            if (armed) {
                armed = false;
                sleep();
            }
            int[] in = (int[]) inVec;
            int[] inOut = (int[]) inOutVec;
            for (int i = 0; i < count; i++) {
                inOut[i] += in[i];
            }
        }

        private void sleep() {
            long beganNs = System.nanoTime();
            for (long slept = 0; slept < sleepNs; slept = System.nanoTime() - beganNs) {
                LockSupport.parkNanos(sleepNs - slept);
            }
            sleptNs += System.nanoTime() - beganNs;
        }
    }

    public static void main(String[] args) {
        MPI.Init(args);
        SlowSum sum = new SlowSum(Duration.parse(args[0]).toNanos());
        Op op = new Op(sum, false);
        Intracomm world = MPI.COMM_WORLD;
        int rank = world.getRank();
        int last = world.getSize() - 1;
        int all = world.getSize() * last / 2;

        int[] result = {rank};
        sum.armed = rank == 0;
        world.reduce(result, 1, MPI.INT, op, 0);
        require("reduce", result[0], rank == 0 ? all : rank);

        sum.armed = rank == last;
        result[0] = rank;
        world.allReduce(result, 1, MPI.INT, op);
        require("allReduce", result[0], all);

        sum.armed = rank == 1;
        result[0] = rank;
        world.scan(result, 1, MPI.INT, op);
        require("scan", result[0], rank * (rank + 1) / 2);

        require("agreed failures", world.agreeFailed().getSize(), 0);
        System.out.println("rank " + rank + " slept " + sum.sleptNs / 1_000_000 + " ms, failures 0");
        MPI.Finalize();
    }

    private static void require(String what, int value, int expected) {
        if (value != expected) {
            throw new IllegalStateException(what + " gave " + value + " instead of " + expected);
        }
    }
}
