package org.ulfmj.benchmarks.program;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Counts the operations of a leading rank that end in each window of 100 ms, and ends the ranks that it leads after the
 * same operation, without a message. The leading rank decides by its clock: it writes the number of the last operation
 * to its place in the file, which all ranks map, before it begins that operation. The ranks that it leads look there
 * after each operation. None of them can be too late, because none ends an operation that the leading rank has not
 * begun.
 */
final class WindowCount {
    private static final int WINDOWS_PER_SECOND = 10;
    private static final long WINDOW_NS = 100_000_000;

    private final ByteBuffer lasts;
    private final boolean leads;
    private final int place;
    private final long startedNs;
    private final long[] windows;
    private long operation;

    /**
     * @param lasts the file of {@link #lasts}
     * @param work of two ranks that exchange messages, {@code pp}, the even one leads; of ranks in collectives, rank 0
     * @param startedNs when the first window begins, by {@link System#nanoTime}
     */
    WindowCount(ByteBuffer lasts, String work, int me, int seconds, long startedNs) {
        int leader = work.equals("pp") ? me - me % 2 : 0;
        this.lasts = lasts;
        this.leads = me == leader;
        this.place = leader * Long.BYTES;
        this.startedNs = startedNs;
        this.windows = new long[seconds * WINDOWS_PER_SECOND];
    }

    /**
     * Maps the file into memory: for each rank that leads it holds the number of the last operation, or 0 while the
     * rank goes on.
     */
    static ByteBuffer lasts(String file) throws IOException {
        try (FileChannel channel = FileChannel.open(Path.of(file), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            return channel.map(FileChannel.MapMode.READ_WRITE, 0, channel.size())
                    .order(ByteOrder.nativeOrder());
        }
    }

    /** Counts an operation that has ended. Returns whether another one follows. */
    boolean counted() {
        operation++;
        if (leads) {
            long window = (System.nanoTime() - startedNs) / WINDOW_NS;
            if (window < windows.length) {
                windows[(int) window]++;
            } else if (lasts.getLong(place) == 0) {
                lasts.putLong(place, operation + 1);
            }
        }
        return lasts.getLong(place) != operation;
    }

    /** Prints {@code windows COUNT COUNT ...}. */
    void print() {
        StringBuilder line = new StringBuilder("windows");
        for (long count : windows) {
            line.append(' ').append(count);
        }
        System.out.println(line);
    }
}
