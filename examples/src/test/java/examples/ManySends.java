package examples;

import java.nio.LongBuffer;
import java.util.Arrays;
import mpi.Intracomm;
import mpi.MPI;
import mpi.Request;

/**
 * Rank 0 starts far more sends than the receiver has posted receives for, while rank 1 is in a barrier, which rank 0
 * enters only after them. First there are many small messages, then larger ones, which would fill the receiver's heap
 * if they came before their receives. At last rank 0 sends on a new communicator that rank 1 makes only later.
 */
public final class ManySends {
    private static final int SMALL_COUNT = 100_000;
    private static final int HELD_COUNT = 50_000;
    private static final int LARGE_COUNT = 1_500;
    /** The number of longs of the larger messages: 64 KiB, the eager limit. */
    private static final int LARGE_ITEMS = 8_192;

    private ManySends() {}

    public static void main(String[] args) {
        MPI.Init(args);
        Intracomm world = MPI.COMM_WORLD;
        boolean sends = world.getRank() == 0;
        exchange(world, sends, SMALL_COUNT, 1);
        exchange(world, sends, LARGE_COUNT, LARGE_ITEMS);
        Intracomm copy = sends ? world.dup() : null;
        if (sends) {
            Request[] requests = start(copy, HELD_COUNT, 1);
            world.send(new byte[0], 0, MPI.BYTE, 1, 1);
            Request.waitAll(requests);
        } else {
            world.recv(new byte[0], 0, MPI.BYTE, 0, 1);
            receive(world.dup(), HELD_COUNT, 1);
        }
        MPI.Finalize();
    }

    private static void exchange(Intracomm comm, boolean sends, int count, int items) {
        if (sends) {
            Request[] requests = start(comm, count, items);
            comm.barrier();
            Request.waitAll(requests);
        } else {
            comm.barrier();
            receive(comm, count, items);
        }
    }

    private static Request[] start(Intracomm comm, int count, int items) {
        LongBuffer data = MPI.newLongBuffer(count + items);
        for (int i = 0; i < count + items; i++) {
            data.put(i, i);
        }
        Request[] requests = new Request[count];
        for (int i = 0; i < count; i++) {
            requests[i] = comm.iSend(MPI.slice(data, i), items, MPI.LONG, 1, 0);
        }
        return requests;
    }

    private static void receive(Intracomm comm, int count, int items) {
        long[] data = new long[items];
        long[] expected = new long[items];
        for (int i = 0; i < count; i++) {
            comm.recv(data, items, MPI.LONG, 0, 0);
            for (int k = 0; k < items; k++) {
                expected[k] = i + k;
            }
            if (!Arrays.equals(data, expected)) {
                throw new IllegalStateException("message " + i + " begins with " + data[0]);
            }
        }
        System.out.println("received " + count + " messages of " + items * Long.BYTES + " bytes");
    }
}
