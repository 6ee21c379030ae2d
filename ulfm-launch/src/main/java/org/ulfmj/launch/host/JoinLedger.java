package org.ulfmj.launch.host;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;
import org.ulfmj.runtime.options.Durations;

/**
 * The file in a job's directory that all launchers of an elastic job share. It says how many numbers have been given to
 * processes, and how many members the world has. Each change is made under a file lock, so that no number is given
 * twice.
 */
public final class JoinLedger {
    private static final String NAME = "joiners";
    /** The text always has the same length, so a writer that dies leaves either the old text or the new one. */
    private static final String FORMAT = "%11d %11d\n";

    private static final int LENGTH_BYTES = 24;

    /** How long to wait for the lock, which another launcher usually holds for a much shorter time. */
    private static final long PATIENCE_NS = 10_000_000_000L;

    private static final long LOOK_NS = 10_000_000;

    private final Path file;

    /** @param directory of the job */
    public JoinLedger(Path directory) {
        file = directory.resolve(NAME);
    }

    /**
     * The content of the file.
     *
     * @param given how many numbers were given to processes, from 0 on
     * @param members how many members the world has; 0 before it begins
     */
    public record State(int given, int members) {}

    /**
     * Creates the file.
     *
     * @param given how many numbers were given already
     * @throws IOException if the file exists already or cannot be written
     */
    public void create(int given) throws IOException {
        try (FileChannel channel = open(StandardOpenOption.CREATE_NEW)) {
            write(channel, new State(given, 0));
        }
    }

    /**
     * Takes the next {@code count} numbers for processes of this launcher. Returns the state before: its count of given
     * numbers is the first of the numbers taken.
     *
     * @throws IOException if there is no such file, because the job has ended, or it cannot be written, or another
     *     launcher holds the lock for ten seconds
     */
    public State take(int count) throws IOException {
        return take(count, PATIENCE_NS);
    }

    State take(int count, long patienceNs) throws IOException {
        long endsAtNs = System.nanoTime() + patienceNs;
        try (FileChannel channel = open(StandardOpenOption.READ)) {
            while (channel.tryLock() == null) { // The lock ends with the channel.
                if (endsAtNs - System.nanoTime() <= 0) {
                    throw new IOException("another mpiexec has kept the list of the processes that have joined for "
                            + Durations.text(patienceNs) + ": it is stopped, or its disk is");
                }
                LockSupport.parkNanos(LOOK_NS);
            }
            return take(channel, count);
        }
    }

    /**
     * As {@link #take}, but without waiting: returns null if another launcher holds the lock.
     *
     * @throws IOException as of {@link #take}
     */
    public State takeNow(int count) throws IOException {
        try (FileChannel channel = open(StandardOpenOption.READ)) {
            return channel.tryLock() == null ? null : take(channel, count);
        }
    }

    private static State take(FileChannel channel, int count) throws IOException {
        State before = read(channel);
        write(channel, new State(before.given() + count, before.members()));
        return before;
    }

    /**
     * Writes how many members the world has. Never waits: while another launcher holds the lock, nothing is written.
     * The number is only a hint, and is written again with the next world.
     *
     * @throws IOException if there is no such file, or it cannot be written
     */
    public void members(int count) throws IOException {
        try (FileChannel channel = open(StandardOpenOption.READ)) {
            if (channel.tryLock() != null) {
                write(channel, new State(read(channel).given(), count));
            }
        }
    }

    private static void write(FileChannel channel, State state) throws IOException {
        String text = String.format(Locale.ROOT, FORMAT, state.given(), state.members());
        channel.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII)), 0);
    }

    private FileChannel open(StandardOpenOption option) throws IOException {
        return FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE, option);
    }

    private static State read(FileChannel channel) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(LENGTH_BYTES);
        if (channel.read(bytes, 0) < LENGTH_BYTES) {
            throw new IOException("the list of the processes that have joined is cut");
        }
        String[] parts =
                new String(bytes.array(), StandardCharsets.US_ASCII).trim().split(" +");
        return new State(Integer.parseInt(parts[0]), Integer.parseInt(parts[1]));
    }
}
