package org.ulfmj.benchmarks.program;

import java.io.IOException;
import java.nio.ByteBuffer;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Request;

/**
 * The program of a rank of a Java job: it runs a round of a cell when it is asked for one. The C peers run
 * {@code cells.c}, which does the same; this file is compiled against our {@code mpi} and, where there is one, against
 * Open MPI's Java binding.
 *
 * <p>An order is {@code WORK BYTES SETTLE OPERATIONS}; rank 0 answers {@code time NANOSECONDS}: the time from the end
 * of one barrier to the end of another, with the operations that follow the settling ones in between.
 */
class Cells {
    private static final int WINDOW = 64;
    private static final int LARGEST = 4 << 20;

    /** Where the slices begin in the buffers. */
    private static final int SLICE = 4 << 10;

    final Intracomm world = MPI.COMM_WORLD;
    final int me = world.getRank();
    private final ByteBuffer mine = direct();
    private final ByteBuffer theirs = direct();
    private final ByteBuffer mySlice = MPI.slice(mine, SLICE);
    private final ByteBuffer theirSlice = MPI.slice(theirs, SLICE);
    private final byte[] myBytes = new byte[LARGEST];
    private final byte[] theirBytes = new byte[LARGEST];
    private final ByteBuffer myBytesAsBuffer = ByteBuffer.wrap(myBytes);
    private final byte[] pattern = new byte[LARGEST];
    private final double[] myDoubles = new double[LARGEST / Double.BYTES];
    private final double[] theirDoubles = new double[LARGEST / Double.BYTES];
    private final Request[] requests = new Request[WINDOW];

    Cells() throws MPIException {}

    /** Runs a round. */
    final void obey(String[] order, Orders orders) throws MPIException, IOException {
        long ns = round(order[0], Integer.parseInt(order[1]), Integer.parseInt(order[2]), Integer.parseInt(order[3]));
        if (me == 0) {
            orders.answer("time " + ns);
        }
    }

    /** Makes a direct buffer by the library's own method, large enough for a slice at an offset. */
    private static ByteBuffer direct() {
        return MPI.newByteBuffer(SLICE + LARGEST);
    }

    final long round(String work, int bytes, int settle, int operations) throws MPIException {
        prepare(work, bytes);
        operate(work, bytes, settle);
        world.barrier();
        long started = System.nanoTime();
        operate(work, bytes, operations);
        world.barrier();
        return System.nanoTime() - started;
    }

    /** Prepares a round of the operation that the word names. A subclass may need it; here there is nothing to do. */
    void prepare(String work, int bytes) {}

    /** Repeats the operation that the word names. */
    void operate(String work, int bytes, int operations) throws MPIException {
        switch (work) {
            case "pp":
                pingPong(mine, theirs, bytes, operations);
                break;
            case "ppa":
                pingPong(myBytes, theirBytes, bytes, operations);
                break;
            case "pps":
                pingPong(mySlice, theirSlice, bytes, operations);
                break;
            case "ppw":
                pingPongRewritten(mine, mine, theirs, bytes, operations);
                break;
            case "ppaw":
                pingPongRewritten(myBytesAsBuffer, myBytes, theirBytes, bytes, operations);
                break;
            case "ppsw":
                pingPongRewritten(mySlice, mySlice, theirSlice, bytes, operations);
                break;
            case "rate":
                stream(bytes, operations);
                break;
            case "barrier":
                for (int i = 0; i < operations; i++) {
                    world.barrier();
                }
                break;
            case "bcast":
                for (int i = 0; i < operations; i++) {
                    world.bcast(mine, bytes, MPI.BYTE, 0);
                }
                break;
            case "reduce":
                for (int i = 0; i < operations; i++) {
                    world.reduce(myDoubles, theirDoubles, bytes / Double.BYTES, MPI.DOUBLE, MPI.SUM, 0);
                }
                break;
            case "allreduce":
                for (int i = 0; i < operations; i++) {
                    world.allReduce(myDoubles, theirDoubles, bytes / Double.BYTES, MPI.DOUBLE, MPI.SUM);
                }
                break;
            case "allgather":
                for (int i = 0; i < operations; i++) {
                    world.allGather(mine, bytes, MPI.BYTE, theirs, bytes, MPI.BYTE);
                }
                break;
            case "alltoall":
                for (int i = 0; i < operations; i++) {
                    world.allToAll(mine, bytes, MPI.BYTE, theirs, bytes, MPI.BYTE);
                }
                break;
            default:
                throw new IllegalArgumentException(work + ": no such work");
        }
    }

    private void pingPong(Object out, Object in, int bytes, int operations) throws MPIException {
        for (int i = 0; i < operations; i++) {
            if (me == 0) {
                world.send(out, bytes, MPI.BYTE, 1, 0);
                world.recv(in, bytes, MPI.BYTE, 1, 0);
            } else if (me == 1) {
                world.recv(in, bytes, MPI.BYTE, 0, 0);
                world.send(out, bytes, MPI.BYTE, 0, 0);
            }
        }
    }

    /**
     * A round trip in which each sender rewrites the whole message before it sends it. So the message lies in the cache
     * of the sender's core only, as a message with new content does.
     *
     * @param content the same memory as {@code out}
     */
    private void pingPongRewritten(ByteBuffer content, Object out, Object in, int bytes, int operations)
            throws MPIException {
        for (int i = 0; i < operations; i++) {
            if (me == 0) {
                rewrite(content, bytes, i);
                world.send(out, bytes, MPI.BYTE, 1, 0);
                world.recv(in, bytes, MPI.BYTE, 1, 0);
            } else if (me == 1) {
                world.recv(in, bytes, MPI.BYTE, 0, 0);
                rewrite(content, bytes, i);
                world.send(out, bytes, MPI.BYTE, 0, 0);
            }
        }
    }

    /** Writes the number of the message into it, and copies a pattern to the rest. */
    private void rewrite(ByteBuffer content, int bytes, long number) {
        content.putLong(0, number);
        if (bytes > Long.BYTES) {
            content.put(Long.BYTES, pattern, Long.BYTES, bytes - Long.BYTES);
        }
    }

    /** Sends a window of messages in one direction, and then an empty message back. */
    private void stream(int bytes, int operations) throws MPIException {
        for (int i = 0; i < operations; i++) {
            if (me == 0) {
                for (int k = 0; k < WINDOW; k++) {
                    requests[k] = world.iSend(mine, bytes, MPI.BYTE, 1, 0);
                }
                Request.waitAll(requests);
                world.recv(theirs, 0, MPI.BYTE, 1, 1);
            } else if (me == 1) {
                for (int k = 0; k < WINDOW; k++) {
                    requests[k] = world.iRecv(theirs, bytes, MPI.BYTE, 0, 0);
                }
                Request.waitAll(requests);
                world.send(mine, 0, MPI.BYTE, 0, 1);
            }
        }
    }
}
