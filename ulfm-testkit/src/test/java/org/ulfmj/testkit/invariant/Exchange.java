package org.ulfmj.testkit.invariant;

import static org.ulfmj.testkit.invariant.Call.Kind.COMPLETING;
import static org.ulfmj.testkit.invariant.Call.Kind.NAMED;

import java.nio.IntBuffer;
import java.util.Random;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Request;
import mpi.Status;

/**
 * Non-blocking messages between ranks that name each other; small messages are sent eagerly, large ones by a handshake.
 */
final class Exchange {
    private static final int[] LENGTHS = {3, 40, 2000, 9000};

    private final Watch watch;
    private final Intracomm comm;
    private final int step;
    private final Random random;
    private final int size;
    private final int rank;

    Exchange(Watch watch, Intracomm comm, int step, Random random) {
        this.watch = watch;
        this.comm = comm;
        this.step = step;
        this.random = random;
        this.size = comm.getSize();
        this.rank = comm.getRank();
    }

    /**
     * Sends one to four messages of random lengths to the right neighbour, receives as many from the left one, and
     * completes the requests one by one.
     */
    void withNeighbours() {
        int messages = 1 + random.nextInt(4);
        int[] lengths =
                random.ints(messages, 0, LENGTHS.length).map(i -> LENGTHS[i]).toArray();
        boolean any = random.nextBoolean();
        int left = (rank + size - 1) % size;
        Request[] requests = new Request[2 * messages];
        IntBuffer[] buffers = new IntBuffer[2 * messages];
        for (int i = 0; i < messages; i++) {
            buffers[i] = MPI.newIntBuffer(LENGTHS[LENGTHS.length - 1]);
            requests[i] = comm.iRecv(buffers[i], buffers[i].capacity(), MPI.INT, left, step);
        }
        for (int i = 0; i < messages; i++) {
            buffers[messages + i] = Message.of(comm, i, lengths[i]);
            requests[messages + i] = comm.iSend(
                    buffers[messages + i], buffers[messages + i].capacity(), MPI.INT, (rank + 1) % size, step);
        }
        complete(requests, buffers, messages, left, any);
    }

    private void complete(Request[] requests, IntBuffer[] buffers, int messages, int left, boolean any) {
        boolean[] seen = new boolean[requests.length];
        try {
            for (int i = 0; i < requests.length; i++) {
                int next = i;
                Status status = watch.call(
                        any ? "waitAnyStatus" : "waitStatus",
                        any ? COMPLETING : NAMED,
                        comm,
                        any ? -1 : i < messages ? left : (rank + 1) % size,
                        () -> any ? Request.waitAnyStatus(requests) : requests[next].waitStatus());
                int at = any ? status.getIndex() : i;
                seen[at] = true;
                watch.completed("request " + at + " of rank " + rank, requests[at], buffers[at]);
                if (at < messages) {
                    watch.received(Message.received(buffers[at], stream(), at, left, status));
                }
            }
        } catch (MPIException failure) {
            for (int i = 0; i < requests.length; i++) {
                if (!seen[i] && requests[i].isNull()) {
                    watch.completed("failed request " + i + " of rank " + rank, requests[i], buffers[i]);
                }
            }
            throw failure;
        }
    }

    /** Exchanges one message with each rank, and completes all requests by one call. */
    void withAll() {
        int length = LENGTHS[random.nextInt(LENGTHS.length)];
        Request[] requests = new Request[2 * size];
        IntBuffer[] in = new IntBuffer[size];
        for (int other = 0; other < size; other++) {
            in[other] = MPI.newIntBuffer(Math.max(Message.LEAST, length));
            requests[other] = comm.iRecv(in[other], in[other].capacity(), MPI.INT, other, step);
            IntBuffer out = Message.of(comm, 0, length);
            requests[size + other] = comm.iSend(out, out.capacity(), MPI.INT, other, step);
        }
        Status[] statuses = watch.call("waitAllStatus", COMPLETING, comm, -1, () -> Request.waitAllStatus(requests));
        for (int other = 0; other < size; other++) {
            watch.completed("receive from " + other + " of rank " + rank, requests[other], in[other]);
            watch.received(Message.received(in[other], stream(), 0, other, statuses[other]));
        }
    }

    /** Returns the number of the stream of messages of this step on this communicator; no other step has the same. */
    private long stream() {
        return 31L * step + size;
    }
}
