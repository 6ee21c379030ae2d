package org.ulfmj.transport.shm;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.MappedByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What all processes of a job on this host have reserved together, the dead among them: one word in a file that all
 * have mapped, so that a process need not read the records of all others for each file it makes. Any thread.
 */
final class ShmTotal {
    static final String NAME = "reserved";

    private static final int BYTES = 16;

    private final MappedByteBuffer memory;

    private ShmTotal(MappedByteBuffer memory) {
        this.memory = memory;
    }

    /** The total of a directory; the first process that opens it makes it. */
    static ShmTotal open(Path directory) throws IOException {
        Path path = directory.resolve(NAME);
        boolean isInterrupted = Thread.interrupted();
        try {
            while (true) {
                try {
                    return map(path);
                } catch (ClosedByInterruptException e) {
                    isInterrupted |= Thread.interrupted();
                }
            }
        } finally {
            if (isInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static ShmTotal map(Path path) throws IOException {
        try {
            Files.createFile(path, ShmDirectory.FILE_MODE);
        } catch (FileAlreadyExistsException others) {
            // Then it has its mode.
        }
        try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
            // Behind the word, which another process may count in already: reserves the page.
            file.seek(BYTES - 1);
            file.write(0);
            return new ShmTotal(file.getChannel().map(MapMode.READ_WRITE, 0, BYTES));
        }
    }

    void add(long bytes) {
        LaneLayout.add(memory, 0, bytes);
    }

    long bytes() {
        return LaneLayout.wordAcquire(memory, 0);
    }
}
