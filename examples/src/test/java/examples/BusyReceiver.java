package examples;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import mpi.Intracomm;
import mpi.MPI;

/**
 * Rank 0 sends short messages by blocking sends while rank 1 computes: the sends wait once rank 1 holds as many
 * messages as credit allows, since otherwise the messages would fill its heap. Then rank 1 receives them all, in order.
 */
public final class BusyReceiver {
    private static final int[] LENGTHS = {0, 1, 8};
    private static final long LOOK_NS = 20_000_000;
    private static final int STEPS_BETWEEN_LOOKS = 10_000_000;

    private static volatile int sent;

    private BusyReceiver() {}

    /**
     * The arguments are the number of messages, the seconds that a send has to wait, and a file. Rank 1 computes until
     * rank 0 makes the file: once a send has waited for that long, or once all sends have returned without such a wait.
     */
    public static void main(String[] args) throws IOException {
        int count = Integer.parseInt(args[0]);
        long waitNs = Long.parseLong(args[1]) * 1_000_000_000L;
        Path file = Path.of(args[2]);
        MPI.Init(args);
        MPI.COMM_WORLD.barrier();
        if (MPI.COMM_WORLD.getRank() == 0) {
            send(count, waitNs, file);
        } else {
            compute(file);
            receive(count);
        }
        MPI.Finalize();
    }

    private static void send(int count, long waitNs, Path file) throws IOException {
        Thread sender = Thread.currentThread();
        AtomicBoolean isSettled = new AtomicBoolean();
        AtomicBoolean hasWaited = new AtomicBoolean();
        Thread watch = new Thread(() -> {
            awaitWait(sender, waitNs);
            if (isSettled.compareAndSet(false, true)) {
                hasWaited.set(true);
                create(file);
            }
        });
        watch.setDaemon(true);
        watch.start();
        Intracomm world = MPI.COMM_WORLD;
        byte[] data = new byte[8];
        long longestNs = 0;
        int longest = 0;
        long beginNs = System.nanoTime();
        for (int i = 0; i < count; i++) {
            data[0] = (byte) i;
            long startNs = System.nanoTime();
            world.send(data, LENGTHS[i % LENGTHS.length], MPI.BYTE, 1, 1);
            sent = i + 1;
            long tookNs = System.nanoTime() - startNs;
            if (tookNs > longestNs) {
                longestNs = tookNs;
                longest = i;
            }
        }
        if (isSettled.compareAndSet(false, true)) {
            create(file);
        }
        System.err.printf(
                "send %d of %d took %d ms, all of them %d ms%n",
                longest, count, longestNs / 1_000_000, (System.nanoTime() - beginNs) / 1_000_000);
        System.out.println(hasWaited.get() ? "a send waited for the receiver" : "no send waited for the receiver");
    }

    /** Returns once the sender has been in one and the same send for {@code waitNs}. */
    private static void awaitWait(Thread sender, long waitNs) {
        int last = -1;
        long sinceNs = System.nanoTime();
        while (System.nanoTime() - sinceNs < waitNs) {
            LockSupport.parkNanos(LOOK_NS);
            if (sent != last || !isInSend(sender)) {
                last = sent;
                sinceNs = System.nanoTime();
            }
        }
    }

    private static boolean isInSend(Thread sender) {
        return Arrays.stream(sender.getStackTrace())
                .anyMatch(frame -> frame.getClassName().equals("mpi.Comm")
                        && frame.getMethodName().equals("send"));
    }

    private static void create(Path file) {
        try {
            Files.createFile(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void compute(Path file) {
        long steps = 0;
        while (steps % STEPS_BETWEEN_LOOKS != 0 || !Files.exists(file)) {
            steps++;
        }
        Runtime runtime = Runtime.getRuntime();
        System.err.printf(
                "%d steps; %d KiB of heap in use of %d%n",
                steps, runtime.totalMemory() - runtime.freeMemory() >> 10, runtime.maxMemory() >> 10);
    }

    private static void receive(int count) {
        byte[] data = new byte[8];
        for (int i = 0; i < count; i++) {
            int length = LENGTHS[i % LENGTHS.length];
            data[0] = (byte) ~i;
            int received =
                    MPI.COMM_WORLD.recv(data, data.length, MPI.BYTE, 0, 1).getCount(MPI.BYTE);
            if (received != length || length > 0 && data[0] != (byte) i) {
                throw new IllegalStateException("message " + i + " has " + received + " bytes");
            }
        }
        System.out.println("received " + count + " messages");
    }
}
