package org.ulfmj.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import mpi.Intracomm;
import mpi.MPI;
import mpi.Prequest;
import mpi.Request;
import org.junit.jupiter.api.Test;

/**
 * Shows that some MPI calls in steady state allocate no more than the objects that they return, apart from a small
 * slack and from notes of slices. Each world has one rank, which sends messages to itself. The compiler may remove
 * allocations, so a call may also allocate less.
 */
class AllocationTest {
    private static final int OPERATIONS = 2_000;
    private static final int WARM_UPS = 3;
    /**
     * The number of measured rounds, of which the one that allocates least counts: a thread that finds the engine's
     * lock taken waits in a new object.
     */
    private static final int ROUNDS = 4;

    /** How many bytes a round may allocate beyond what its calls return, for instance when a table grows. */
    private static final long SLACK_BYTES = 4_000;

    private static final long STATUS_BYTES = 40;
    private static final long REQUEST_BYTES = 24;
    /** The bytes that it takes to note a slice, or a view of one: a weak reference. */
    private static final long NOTE_BYTES = 48;

    private static void requireAtMost(long bytesAnOperation, Runnable operation) {
        assertThat(leastBytes(operation)).isLessThanOrEqualTo(bytesAnOperation * OPERATIONS + SLACK_BYTES);
    }

    private static long leastBytes(Runnable operation) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long least = Long.MAX_VALUE;
        for (int round = 0; round < WARM_UPS + ROUNDS; round++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < OPERATIONS; i++) {
                operation.run();
            }
            long allocated = threads.getCurrentThreadAllocatedBytes() - before;
            least = round < WARM_UPS ? least : Math.min(least, allocated);
        }
        return least;
    }

    /**
     * An exchange with slices of lent memory allocates, on average, at most the bytes of four notes more than one with
     * slices of other memory.
     */
    @Test
    void shouldNoteSlicesOfShortMessagesInPassingOnly() {
        Worlds.run(1, (world, rank) -> {
            LongBuffer lent = MPI.newLongBuffer(10_000);
            LongBuffer plain = ByteBuffer.allocateDirect(80_000).asLongBuffer();
            long ofPlain = leastBytes(() -> exchangeSlices(world, plain));
            long ofLent = leastBytes(() -> exchangeSlices(world, lent));
            assertThat(ofLent).isLessThanOrEqualTo(ofPlain + 4 * NOTE_BYTES * OPERATIONS + SLACK_BYTES);
        });
    }

    private static void exchangeSlices(Intracomm world, LongBuffer buffer) {
        Request[] requests = {
            world.iRecv(MPI.slice(buffer, 5_000), 600, MPI.LONG, 0, 0),
            world.iSend(MPI.slice(buffer, 1_000), 600, MPI.LONG, 0, 0)
        };
        Request.waitAll(requests);
    }

    @Test
    void shouldAllocateTheStatusOnlyWhenCallsBlock() {
        Worlds.run(1, (world, rank) -> {
            ByteBuffer buffer = MPI.newByteBuffer(8);
            double[] numbers = new double[4];
            requireAtMost(2 * STATUS_BYTES, () -> {
                world.send(buffer, 8, MPI.BYTE, 0, 0);
                world.recv(buffer, 8, MPI.BYTE, 0, 0);
                world.send(numbers, 4, MPI.DOUBLE, 0, 0);
                world.recv(numbers, 4, MPI.DOUBLE, 0, 0);
            });
        });
    }

    @Test
    void shouldAllocateTheRequestsOnlyWhenCallsDoNotBlock() {
        Worlds.run(1, (world, rank) -> {
            ByteBuffer buffer = MPI.newByteBuffer(8);
            Request[] requests = new Request[2];
            requireAtMost(2 * REQUEST_BYTES, () -> {
                requests[0] = world.iSend(buffer, 8, MPI.BYTE, 0, 0);
                requests[1] = world.iRecv(buffer, 8, MPI.BYTE, 0, 0);
                Request.waitAll(requests);
            });
        });
    }

    @Test
    void shouldAllocateTheRequestsOnlyWhenTheReceiveWaits() {
        Worlds.run(1, (world, rank) -> {
            ByteBuffer sent = MPI.newByteBuffer(8000);
            ByteBuffer received = MPI.newByteBuffer(8000);
            Request[] requests = new Request[2];
            requireAtMost(2 * REQUEST_BYTES, () -> {
                requests[0] = world.iRecv(received, 8000, MPI.BYTE, 0, 0);
                requests[1] = world.iSend(sent, 8000, MPI.BYTE, 0, 0);
                Request.waitAll(requests);
            });
        });
    }

    @Test
    void shouldAllocateTheStatusOnlyWhenBothHalvesAreOneCall() {
        Worlds.run(1, (world, rank) -> {
            long[] sent = new long[4];
            long[] received = new long[4];
            requireAtMost(STATUS_BYTES, () -> world.sendRecv(sent, 4, MPI.LONG, 0, 0, received, 4, MPI.LONG, 0, 0));
        });
    }

    @Test
    void shouldAllocateTheStatusesOnlyWhenMessagesAreProbed() {
        Worlds.run(1, (world, rank) -> {
            long[] numbers = new long[4];
            requireAtMost(3 * STATUS_BYTES, () -> {
                world.iProbe(0, 7);
                world.send(numbers, 4, MPI.LONG, 0, 0);
                world.iProbe(0, 0);
                world.probe(MPI.ANY_SOURCE, MPI.ANY_TAG);
                world.recv(numbers, 4, MPI.LONG, 0, 0);
            });
        });
    }

    @Test
    void shouldAllocateNothingWhenCollectivesGoByMessages() {
        Worlds.run(1, (world, rank) -> {
            long[] sent = new long[1];
            long[] received = new long[1];
            int[] counts = {1};
            int[] displs = {0};
            requireAtMost(0, () -> {
                world.gather(sent, 1, MPI.LONG, received, 1, MPI.LONG, 0);
                world.gatherv(sent, 1, MPI.LONG, received, counts, displs, MPI.LONG, 0);
                world.scatter(sent, 1, MPI.LONG, received, 1, MPI.LONG, 0);
                world.scatterv(sent, counts, displs, MPI.LONG, received, 1, MPI.LONG, 0);
                world.allGatherv(sent, 1, MPI.LONG, received, counts, displs, MPI.LONG);
                world.allToAllv(sent, counts, displs, MPI.LONG, received, counts, displs, MPI.LONG);
                world.scan(sent, received, 1, MPI.LONG, MPI.SUM);
                world.exScan(sent, received, 1, MPI.LONG, MPI.SUM);
                world.reduceScatter(sent, received, counts, MPI.LONG, MPI.SUM);
                world.reduceScatterBlock(sent, received, 1, MPI.LONG, MPI.SUM);
            });
        });
    }

    @Test
    void shouldAllocateTheRequestOnlyWhenACollectiveIsStarted() {
        Worlds.run(1, (world, rank) -> {
            LongBuffer sent = MPI.newLongBuffer(1);
            LongBuffer received = MPI.newLongBuffer(1);
            requireAtMost(3 * REQUEST_BYTES, () -> {
                world.iGather(sent, 1, MPI.LONG, received, 1, MPI.LONG, 0).waitFor();
                world.iScatter(sent, 1, MPI.LONG, received, 1, MPI.LONG, 0).waitFor();
                world.iScan(sent, received, 1, MPI.LONG, MPI.SUM).waitFor();
            });
        });
    }

    @Test
    void shouldAllocateNothingWhenRequestsArePersistent() {
        Worlds.run(1, (world, rank) -> {
            ByteBuffer buffer = MPI.newByteBuffer(8);
            Prequest[] requests = {
                world.sendInit(buffer, 8, MPI.BYTE, 0, 0),
                world.recvInit(buffer, 8, MPI.BYTE, 0, 0),
                world.sSendInit(buffer, 8, MPI.BYTE, 0, 0),
                world.recvInit(buffer, 8, MPI.BYTE, 0, 0)
            };
            requireAtMost(0, () -> {
                Prequest.startAll(requests);
                Request.waitAll(requests);
            });
        });
    }
}
