package org.ulfmj.launch;

import java.nio.IntBuffer;
import java.util.function.IntUnaryOperator;
import mpi.Datatype;
import mpi.Intracomm;
import mpi.MPI;
import mpi.Status;

/**
 * An MPI program that sends and combines vectors of a given length in memory of {@link MPI#newIntBuffer}, sends vectors
 * that are not too long also in arrays, sends a part with a datatype that has gaps between its elements, and checks
 * every element of every result.
 */
final class LargeMessages {
    /** The longest vector, in MiB, that is also tried in arrays, of which a rank needs two. */
    private static final int MOST_MIB_IN_ARRAYS = 256;

    private static final Intracomm WORLD = MPI.COMM_WORLD;

    private final int rank = WORLD.getRank();
    private final int size = WORLD.getSize();
    private final int count;
    private final IntBuffer send;
    private final IntBuffer receive;

    private LargeMessages(int mib) {
        this.count = mib * (1024 * 1024 / Integer.BYTES);
        this.send = MPI.newIntBuffer(count);
        this.receive = MPI.newIntBuffer(count);
        for (int i = 0; i < count; i++) {
            send.put(i, value(rank, i));
        }
    }

    /** @param args how many MiB a vector has: 1 to 1,024 */
    public static void main(String[] args) {
        int mib = Integer.parseInt(MPI.Init(args)[0]);
        LargeMessages program = new LargeMessages(mib);
        program.messages();
        program.collectives();
        if (mib <= MOST_MIB_IN_ARRAYS) {
            program.arrays();
        }
        program.gaps();
        System.out.println("rank " + program.rank + " of " + program.size + ": " + mib + " MiB");
        MPI.Finalize();
    }

    /** What a rank has at a place. */
    private static int value(int ofRank, int at) {
        return at * 31 + ofRank;
    }

    private static void require(IntBuffer result, int length, String call, IntUnaryOperator expected) {
        for (int i = 0; i < length; i++) {
            if (result.get(i) != expected.applyAsInt(i)) {
                throw new IllegalStateException(
                        call + ": " + result.get(i) + " at " + i + " instead of " + expected.applyAsInt(i));
            }
        }
    }

    private void messages() {
        if (rank == 0) {
            WORLD.send(send, count, MPI.INT, 1, 0);
        } else if (rank == 1) {
            Status status = WORLD.recv(receive, count, MPI.INT, 0, 0);
            if (status.getCount(MPI.INT) != count) {
                throw new IllegalStateException("recv: count " + status.getCount(MPI.INT));
            }
            require(receive, count, "recv", i -> value(0, i));
        }
    }

    private void collectives() {
        IntUnaryOperator sum = i -> size * i * 31 + size * (size - 1) / 2;
        WORLD.allReduce(send, receive, count, MPI.INT, MPI.SUM);
        require(receive, count, "allReduce", sum);
        WORLD.iAllReduce(send, receive, count, MPI.INT, MPI.MIN).waitFor();
        require(receive, count, "iAllReduce", this::least);
        if (rank == 0) {
            receive.put(0, send, 0, count);
        }
        WORLD.bcast(receive, count, MPI.INT, 0);
        require(receive, count, "bcast", i -> value(0, i));
        WORLD.reduce(send, receive, count, MPI.INT, MPI.SUM, size - 1);
        require(receive, count, "reduce", rank == size - 1 ? sum : i -> value(0, i));
        int part = count / size;
        WORLD.allToAll(send, part, MPI.INT, receive, part, MPI.INT);
        require(receive, part * size, "allToAll", i -> value(i / part, rank * part + i % part));
    }

    private int least(int at) {
        int least = Integer.MAX_VALUE;
        for (int other = 0; other < size; other++) {
            least = Math.min(least, value(other, at)); // some sums are beyond an int, at some ranks only
        }
        return least;
    }

    private void arrays() {
        int[] out = new int[count];
        int[] in = new int[count];
        send.get(0, out);
        int from = (rank + size - 1) % size;
        WORLD.sendRecv(out, count, MPI.INT, (rank + 1) % size, 0, in, count, MPI.INT, from, 0);
        require(IntBuffer.wrap(in), count, "sendRecv", i -> value(from, i));
    }

    private void gaps() {
        Datatype everySecond = Datatype.createVector(count / 4, 1, 2, MPI.INT);
        everySecond.commit();
        int gap = -1;
        for (int i = 0; i < count; i++) {
            receive.put(i, gap);
        }
        if (rank == 0) {
            WORLD.send(send, 1, everySecond, 1, 0);
        } else if (rank == 1) {
            WORLD.recv(receive, 1, everySecond, 0, 0);
            require(receive, count, "recv of a vector", i -> i % 2 == 0 && i < count / 2 ? value(0, i) : gap);
        }
        everySecond.free();
    }
}
