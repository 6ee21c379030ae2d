package org.ulfmj.benchmarks.program;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Memory that the ranks of a bare job share. Each rank writes to a row of lines, one per step in turn, of 64 bytes
 * each: a flag, which is the number of the step, and up to 56 bytes beside it. Each rank also has a buffer for long
 * messages.
 */
final class BareMemory {
    static final int BUFFER_BYTES = 1 << 20;

    /** The number of lines per rank: as many steps in a row have separate lines. */
    static final int LINES = 64;

    private static final int LINE_BYTES = 64;
    private static final int DATA_AT = Long.BYTES;
    private static final int ROW_BYTES = LINES * LINE_BYTES;

    private static final VarHandle LONG = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

    private final int ranks;
    /**
     * How often a rank looks for a flag before it yields its core to other threads; where each rank has a core it
     * practically never yields.
     */
    private final int looks;

    final ByteBuffer memory;

    private BareMemory(ByteBuffer memory, int ranks) {
        this.memory = memory.order(ByteOrder.nativeOrder());
        this.ranks = ranks;
        this.looks = ranks <= Runtime.getRuntime().availableProcessors() ? Integer.MAX_VALUE : 20;
    }

    /** The rank that this process is. */
    static int rank() {
        return Integer.parseInt(System.getenv("OMPI_COMM_WORLD_RANK"));
    }

    /** The number of ranks of the job. */
    static int ranks() {
        return Integer.parseInt(System.getenv("OMPI_COMM_WORLD_SIZE"));
    }

    /** Maps the memory of the job: rank 0 makes the file, and removes it once all have it. */
    static BareMemory open(Path file, int rank, int ranks) throws IOException {
        long bytes = (long) ranks * (2 * ROW_BYTES + BUFFER_BYTES);
        if (rank == 0) {
            Path made = file.resolveSibling(file.getFileName() + ".made");
            try (FileChannel channel =
                    FileChannel.open(made, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
                channel.write(ByteBuffer.allocate(1), bytes - 1);
            }
            Files.move(made, file);
        }
        BareMemory memory = new BareMemory(map(file, bytes), ranks);
        for (int other = 0; other < ranks; other++) {
            if (other == rank) {
                memory.set(rank, 1);
            }
            memory.await(other, 1);
        }
        if (rank == 0) {
            Files.delete(file);
        }
        return memory;
    }

    private static MappedByteBuffer map(Path file, long bytes) throws IOException {
        while (true) {
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
                return channel.map(FileChannel.MapMode.READ_WRITE, 0, bytes);
            } catch (NoSuchFileException e) {
                Thread.yield(); // rank 0 makes it
            }
        }
    }

    /** Where the line of a rank for a step begins. */
    private static int line(int rank, long step) {
        return rank * ROW_BYTES + (int) (step & LINES - 1) * LINE_BYTES;
    }

    /** Where the data beside a flag begin. */
    static int data(int rank, long step) {
        return line(rank, step) + DATA_AT;
    }

    /** Where the buffer of a rank begins. */
    int buffer(int rank) {
        return ranks * 2 * ROW_BYTES + rank * BUFFER_BYTES;
    }

    /** Publishes a step of a rank, with all that the rank has written before. */
    void set(int rank, long step) {
        LONG.setRelease(memory, line(rank, step), step);
    }

    /** Waits until a rank has published this step, or a later one with the same line. */
    void await(int rank, long step) {
        int at = line(rank, step);
        int left = looks;
        while ((long) LONG.getAcquire(memory, at) < step) {
            if (--left == 0) {
                left = looks;
                Thread.yield();
            } else {
                Thread.onSpinWait();
            }
        }
    }
}
