package examples;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.util.concurrent.locks.LockSupport;
import java.util.zip.CRC32C;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.ProcFailedException;
import mpi.Request;

/**
 * Rank 2 streams large messages to ranks 0 and 1. A given number of milliseconds after the stream has begun, rank 3
 * stops rank 2, and then either leaves it stopped until the launcher ends it, or kills it at once. After their receives
 * have failed, the buffers of ranks 0 and 1 must not change by a byte.
 */
public final class StoppedInTheMiddle {
    private static final int SENDER = 2;
    private static final int CONTROLLER = 3;
    private static final int WORDS = 2 * 1024 * 1024;
    private static final int BEGUN = 1_000_000;
    private static final int MARKED = BEGUN + 1;
    private static final int ENDED = BEGUN + 2;
    private static final long MOST_SECONDS = 60;

    private StoppedInTheMiddle() {}

    public static void main(String[] args) {
        boolean isKilled = args[0].equals("kill");
        long delayMs = Long.parseLong(args[1]);
        MPI.Init(args);
        Intracomm world = MPI.COMM_WORLD;
        long[] pids = new long[world.getSize()];
        world.allGather(new long[] {ProcessHandle.current().pid()}, 1, MPI.LONG, pids, 1, MPI.LONG);
        switch (world.getRank()) {
            case SENDER -> stream(world);
            case CONTROLLER -> control(world, pids[SENDER], delayMs, isKilled);
            default -> receive(world);
        }
        world.shrink().barrier();
        MPI.Finalize();
    }

    private static long wordOf(long number, int index) {
        return number << 32 | index;
    }

    /**
     * Makes a buffer in private memory of this process: from a buffer of {@code MPI.newLongBuffer}, which the receivers
     * can map, they could copy a whole message while the sender is stopped.
     */
    private static LongBuffer buffer() {
        return ByteBuffer.allocateDirect(WORDS * Long.BYTES)
                .order(ByteOrder.nativeOrder())
                .asLongBuffer();
    }

    /** Sends large messages without end, until another process ends this rank. */
    private static void stream(Intracomm world) {
        LongBuffer[] buffers = {buffer(), buffer()};
        for (int number = 0; ; number++) {
            Request[] sends = new Request[2];
            for (int to = 0; to < 2; to++) {
                for (int i = 0; i < WORDS; i++) {
                    buffers[to].put(i, wordOf(number, i));
                }
                sends[to] = world.iSend(buffers[to], WORDS, MPI.LONG, to, number);
            }
            if (number == 1) {
                world.send(new byte[1], 1, MPI.BYTE, CONTROLLER, BEGUN);
            }
            Request.waitAll(sends);
        }
    }

    /** Receives the messages of the stream, with up to two receives under way, until they fail. */
    private static void receive(Intracomm world) {
        LongBuffer[] buffers = {MPI.newLongBuffer(WORDS), MPI.newLongBuffer(WORDS)};
        Request[] receives = new Request[2];
        for (int number = 0; number < 2; number++) {
            receives[number] = world.iRecv(buffers[number], WORDS, MPI.LONG, SENDER, number);
        }
        int number = 0;
        try {
            while (true) {
                LongBuffer buffer = buffers[number % 2];
                receives[number % 2].waitFor();
                requireWhole(buffer, number);
                number++;
                receives[(number + 1) % 2] = world.iRecv(buffer, WORDS, MPI.LONG, SENDER, number + 1);
            }
        } catch (MPIException e) {
            requireFailed(e);
        }
        try {
            receives[(number + 1) % 2].waitFor();
            throw new IllegalStateException("message " + (number + 1) + " of a failed sender came after all");
        } catch (MPIException e) {
            requireFailed(e);
        }
        long atMark = checksum(buffers);
        world.send(new byte[1], 1, MPI.BYTE, CONTROLLER, MARKED);
        world.recv(new byte[1], 1, MPI.BYTE, CONTROLLER, ENDED);
        long atEnd = checksum(buffers);
        int words = wordsOf(buffers[number % 2], number);
        System.out.println(String.format(
                "rank %d: %d of %d words of message %d had come, buffers %s",
                world.getRank(), words, WORDS, number, atMark == atEnd ? "unchanged" : "CHANGED"));
    }

    private static void requireFailed(MPIException e) {
        if (!(e instanceof ProcFailedException)) {
            throw e;
        }
    }

    private static void requireWhole(LongBuffer buffer, int number) {
        if (wordsOf(buffer, number) != WORDS) {
            throw new IllegalStateException("message " + number + " is not what was sent");
        }
    }

    private static int wordsOf(LongBuffer buffer, int number) {
        int count = 0;
        for (int i = 0; i < WORDS; i++) {
            if (buffer.get(i) == wordOf(number, i)) {
                count++;
            }
        }
        return count;
    }

    private static long checksum(LongBuffer[] buffers) {
        long sum = 0;
        for (LongBuffer buffer : buffers) {
            CRC32C crc = new CRC32C();
            long[] words = new long[4096];
            for (int at = 0; at < WORDS; at += words.length) {
                buffer.get(at, words);
                for (long word : words) {
                    for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
                        crc.update((int) (word >>> shift));
                    }
                }
            }
            sum = sum << 32 | crc.getValue();
        }
        return sum;
    }

    private static void control(Intracomm world, long pid, long delayMs, boolean isKilled) {
        world.recv(new byte[1], 1, MPI.BYTE, SENDER, BEGUN);
        LockSupport.parkNanos(delayMs * 1_000_000);
        Signal.stop(pid);
        long stopNs = System.nanoTime();
        if (isKilled) {
            Signal.kill(pid);
        }
        for (int rank = 0; rank < 2; rank++) {
            world.recv(new byte[1], 1, MPI.BYTE, rank, MARKED);
        }
        System.out.println(
                "failed at both receivers " + (System.nanoTime() - stopNs) / 1_000_000 + " ms after the stop");
        try {
            world.recv(new byte[1], 1, MPI.BYTE, SENDER, BEGUN);
            throw new IllegalStateException("a message of the stopped rank that it never sent");
        } catch (ProcFailedException expected) {
            System.out.println("failed at the controller");
        }
        long markedNs = System.nanoTime();
        System.out.println(String.format(
                "ended %s, %d ms later",
                Signal.awaitEnd(pid, MOST_SECONDS), (System.nanoTime() - markedNs) / 1_000_000));
        for (int rank = 0; rank < 2; rank++) {
            world.send(new byte[1], 1, MPI.BYTE, rank, ENDED);
        }
    }
}
