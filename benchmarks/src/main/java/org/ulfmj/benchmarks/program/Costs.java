package org.ulfmj.benchmarks.program;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import mpi.Intracomm;
import mpi.MPI;
import mpi.Prequest;
import mpi.Request;

/**
 * Counts the bytes that calls allocate, and creates situations in which another process measures the processor time of
 * a rank's threads.
 */
final class Costs {
    private final Cells cells;
    private final Orders orders;
    private final Intracomm world = MPI.COMM_WORLD;
    private final int me = world.getRank();
    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(8);
    private final Request[] request = new Request[1];
    /**
     * The persistent request of a message from rank 0 to rank 1: its send or its receive. Empty at other ranks, and
     * where there is no rank 1.
     */
    private final Prequest[] persistent;

    private double sink;

    Costs(Cells cells, Orders orders) {
        this.cells = cells;
        this.orders = orders;
        this.persistent = world.getSize() < 2 || me > 1
                ? new Prequest[0]
                : new Prequest[] {
                    me == 0 ? world.sendInit(buffer, 8, MPI.BYTE, 1, 0) : world.recvInit(buffer, 8, MPI.BYTE, 0, 0)
                };
    }

    /**
     * Each rank answers how many bytes its thread has allocated for this many operations, after as many uncounted.
     * Behind operations of messages one barrier is counted too.
     */
    void allocate(String work, int operations) throws IOException {
        operate(work, operations);
        long before = threads.getCurrentThreadAllocatedBytes();
        operate(work, operations);
        long allocated = threads.getCurrentThreadAllocatedBytes() - before;
        orders.answer("allocated " + me + " " + allocated);
        world.barrier();
    }

    /** Rank 0 sleeps outside MPI while all other ranks wait for its message. */
    void waitFor(int milliseconds) throws IOException, InterruptedException {
        if (me == 0) {
            Thread.sleep(milliseconds);
            for (int rank = 1; rank < world.getSize(); rank++) {
                world.send(buffer, 8, MPI.BYTE, rank, 0);
            }
            orders.answer("waited " + milliseconds);
        } else {
            world.recv(buffer, 8, MPI.BYTE, 0, 0);
        }
    }

    /** All ranks compute, outside MPI; rank 0 answers at the end. */
    void compute(int milliseconds) throws IOException {
        long started = System.nanoTime();
        while (System.nanoTime() - started < milliseconds * 1_000_000L) {
            for (int i = 1; i < 10_000; i++) {
                sink += 1.0 / i;
            }
        }
        if (me == 0) {
            orders.answer("computed " + milliseconds + " " + sink);
        }
    }

    private void operate(String work, int operations) {
        switch (work) {
            case "send" -> {
                for (int i = 0; i < operations; i++) {
                    if (me == 0) {
                        world.send(buffer, 8, MPI.BYTE, 1, 0);
                    } else if (me == 1) {
                        world.recv(buffer, 8, MPI.BYTE, 0, 0);
                    }
                }
                world.barrier();
            }
            case "isend" -> {
                for (int i = 0; i < operations; i++) {
                    if (me == 0) {
                        request[0] = world.iSend(buffer, 8, MPI.BYTE, 1, 0);
                        Request.waitAll(request);
                    } else if (me == 1) {
                        request[0] = world.iRecv(buffer, 8, MPI.BYTE, 0, 0);
                        Request.waitAll(request);
                    }
                }
                world.barrier();
            }
            case "persistent" -> {
                for (int i = 0; i < operations; i++) {
                    Prequest.startAll(persistent);
                    Request.waitAll(persistent);
                }
                world.barrier();
            }
            default -> cells.operate(work, 8, operations);
        }
    }
}
