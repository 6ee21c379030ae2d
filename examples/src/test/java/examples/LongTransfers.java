package examples;

import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Request;

/**
 * Rank 0 sends large messages to rank 1, which checks every value. Arguments: {@code one} and a time in milliseconds,
 * to send messages of 256 MiB one after the other for that time; or {@code many} and a time, to begin 64 messages of 16
 * MiB at once after that time, and to print how much direct memory rank 0 needed for them at most.
 */
final class LongTransfers {
    private static final int MIB = 1 << 20;
    private static final int LONG_MIB = 256;
    private static final int SHORT_MIB = 16;
    private static final int MANY = 64;

    private LongTransfers() {}

    public static void main(String[] args) throws MPIException, InterruptedException {
        MPI.Init(args);
        Intracomm world = MPI.COMM_WORLD;
        long ms = Long.parseLong(args[1]);
        if (args[0].equals("one")) {
            one(world, ms);
        } else {
            many(world, ms);
        }
        System.out.println("rank " + world.getRank() + ": all right, failed "
                + world.getFailed().getSize());
        MPI.Finalize();
    }

    private static void one(Intracomm world, long ms) throws MPIException {
        long untilNs = System.nanoTime() + ms * 1_000_000;
        ByteBuffer message = MPI.newByteBuffer(LONG_MIB * MIB);
        long[] goOn = {1};
        for (int number = 0; goOn[0] != 0; number++) {
            if (world.getRank() == 0) {
                fill(message, number);
                world.send(message, message.capacity(), MPI.BYTE, 1, number);
            } else {
                world.recv(message, message.capacity(), MPI.BYTE, 0, number);
                check(message, number);
            }
            goOn[0] = System.nanoTime() - untilNs < 0 ? 1 : 0;
            world.bcast(goOn, 1, MPI.LONG, 0);
        }
    }

    private static void many(Intracomm world, long ms) throws MPIException, InterruptedException {
        if (world.getRank() == 1) {
            ByteBuffer message = MPI.newByteBuffer(SHORT_MIB * MIB);
            for (int number = 0; number < MANY; number++) {
                world.recv(message, message.capacity(), MPI.BYTE, 0, number);
                check(message, number % 2);
            }
            return;
        }
        ByteBuffer[] lent = {MPI.newByteBuffer(SHORT_MIB * MIB), MPI.newByteBuffer(SHORT_MIB * MIB)};
        ByteBuffer[] other = {ByteBuffer.allocateDirect(SHORT_MIB * MIB), ByteBuffer.allocateDirect(SHORT_MIB * MIB)};
        for (int number = 0; number < 2; number++) {
            fill(lent[number], number);
            other[number].put(lent[number].duplicate());
            other[number].clear();
        }
        Thread.sleep(ms);
        long before = directBytes();
        long most = before;
        Request[] requests = new Request[MANY];
        for (int number = 0; number < MANY; number++) {
            ByteBuffer[] from = number % 4 < 2 ? lent : other;
            requests[number] = world.iSend(from[number % 2], SHORT_MIB * MIB, MPI.BYTE, 1, number);
            most = Math.max(most, directBytes());
        }
        while (!Request.testAll(requests)) {
            most = Math.max(most, directBytes());
        }
        System.out.println("direct memory: " + (most - before) / MIB + " MiB more, " + most / MIB + " MiB in all");
    }

    private static long directBytes() {
        for (BufferPoolMXBean pool : ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class)) {
            if (pool.getName().equals("direct")) {
                return pool.getMemoryUsed();
            }
        }
        throw new IllegalStateException("no pool of direct memory");
    }

    private static void fill(ByteBuffer message, long number) {
        for (int at = 0; at < message.capacity(); at += Long.BYTES) {
            message.putLong(at, value(number, at));
        }
    }

    private static void check(ByteBuffer message, long number) {
        for (int at = 0; at < message.capacity(); at += Long.BYTES) {
            if (message.getLong(at) != value(number, at)) {
                throw new IllegalStateException("wrong: byte " + at + " of message " + number);
            }
        }
    }

    private static long value(long number, int at) {
        return (number + 1) * 0x9E3779B97F4A7C15L + at;
    }
}
