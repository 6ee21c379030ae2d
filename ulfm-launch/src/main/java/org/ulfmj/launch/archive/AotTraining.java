package org.ulfmj.launch.archive;

import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import java.nio.LongBuffer;
import java.util.concurrent.TimeUnit;
import mpi.Intracomm;
import mpi.MPI;
import mpi.Request;

/**
 * The program of the job from which a cache with profiles is made. Two ranks do what programs do most often, until the
 * compilers know it: short messages to and fro, from arrays, from direct buffers and from parts of either, many
 * messages in flight, and small collectives. Then they do what {@link Training} does, so that the cache also has the
 * classes that a first failure needs: rank 1 is killed at iteration 1, and the spare that took its place is killed at
 * iteration 2.
 */
public final class AotTraining {
    /** The fault plan that kills rank 1 and then its replacement, in the syntax of {@code --inject}. */
    static final String KILL = "kill:rank=1@iter=1; kill:rank=1,inc=1@iter=2";

    static final int RANKS = 2;
    static final int SPARES = 1;

    private static final long LEAST_NS = TimeUnit.SECONDS.toNanos(4);
    /**
     * The least number of rounds, so that each call is made often enough also on a busy machine, where the training
     * then takes longer.
     */
    private static final int LEAST_ROUNDS = 200;

    private static final int CALLS_PER_ROUND = 100;
    private static final int IN_FLIGHT = 16;
    private static final int SHORT_BYTES = 8;
    private static final int LONG_BYTES = 1024;

    private final Intracomm world;
    private final int other;
    private final byte[] array = new byte[LONG_BYTES];
    private final ByteBuffer direct = MPI.newByteBuffer(LONG_BYTES);
    private final ByteBuffer partOfArray = MPI.slice(new byte[2 * LONG_BYTES], LONG_BYTES);
    private final ByteBuffer partOfDirect = MPI.slice(MPI.newByteBuffer(2 * LONG_BYTES), LONG_BYTES);
    private final ByteBuffer[] sent = new ByteBuffer[IN_FLIGHT];
    private final ByteBuffer[] received = new ByteBuffer[IN_FLIGHT];

    private AotTraining(Intracomm world) {
        this.world = world;
        this.other = 1 - world.getRank();
        for (int i = 0; i < IN_FLIGHT; i++) {
            sent[i] = MPI.newByteBuffer(SHORT_BYTES);
            received[i] = MPI.newByteBuffer(SHORT_BYTES);
        }
    }

    /** Must be started by {@code mpiexec}. */
    public static void main(String[] args) {
        MPI.Init(args);
        if (!MPI.isReplacement()) {
            train(MPI.COMM_WORLD, LEAST_NS, LEAST_ROUNDS);
        }
        Training.liveAndDie();
        MPI.Finalize();
    }

    /** Makes all calls again and again, for at least the given time and at least the given number of rounds. */
    static void train(Intracomm world, long leastNs, int leastRounds) {
        AotTraining training = new AotTraining(world);
        long beginNs = System.nanoTime();
        byte[] isOver = new byte[1];
        for (int round = 1; isOver[0] == 0; round++) {
            training.exchange();
            training.combine();
            if (round >= leastRounds && System.nanoTime() - beginNs >= leastNs) {
                isOver[0] = 1;
            }
            // Rank 0 decides.
            world.bcast(isOver, 1, MPI.BYTE, 0);
        }
    }

    private void exchange() {
        for (int length : new int[] {SHORT_BYTES, LONG_BYTES}) {
            pingPong(direct, length);
            pingPong(array, length);
            pingPong(partOfDirect, length);
            pingPong(partOfArray, length);
        }
        for (int call = 0; call < CALLS_PER_ROUND; call += IN_FLIGHT) {
            manyInFlight();
        }
    }

    private void pingPong(Object buffer, int length) {
        for (int call = 0; call < CALLS_PER_ROUND; call++) {
            if (other == 1) {
                world.send(buffer, length, MPI.BYTE, other, 0);
                world.recv(buffer, length, MPI.BYTE, other, 0);
            } else {
                world.recv(buffer, length, MPI.BYTE, other, 0);
                world.send(buffer, length, MPI.BYTE, other, 0);
            }
        }
    }

    private void manyInFlight() {
        Request[] requests = new Request[2 * IN_FLIGHT];
        for (int i = 0; i < IN_FLIGHT; i++) {
            requests[i] = world.iRecv(received[i], SHORT_BYTES, MPI.BYTE, other, i);
        }
        for (int i = 0; i < IN_FLIGHT; i++) {
            requests[IN_FLIGHT + i] = world.iSend(sent[i], SHORT_BYTES, MPI.BYTE, other, i);
        }
        Request.waitAll(requests);
    }

    private void combine() {
        long[] longs = {world.getRank()};
        long[] sum = new long[1];
        double[] doubles = {world.getRank()};
        LongBuffer directLongs = MPI.newLongBuffer(2);
        DoubleBuffer directDoubles = MPI.newDoubleBuffer(1);
        for (int call = 0; call < CALLS_PER_ROUND; call++) {
            world.allReduce(longs, sum, 1, MPI.LONG, MPI.SUM);
            world.allReduce(directDoubles, 1, MPI.DOUBLE, MPI.SUM);
            world.barrier();
            world.bcast(direct, SHORT_BYTES, MPI.BYTE, 0);
            world.bcast(array, LONG_BYTES, MPI.BYTE, 0);
            world.reduce(doubles, 1, MPI.DOUBLE, MPI.MAX, 0);
            world.allGather(longs, 1, MPI.LONG, directLongs, 1, MPI.LONG);
        }
    }
}
