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
 * The number of bytes that all processes of a job on this host have reserved together, dead processes included until
 * another process takes their bytes out. It is one word in a file that all processes have mapped, so that a process
 * need not read all owner records for each file that it makes. Any thread.
 */
final class ShmTotal {
    static final String NAME = "reserved";

    private static final int BYTES = 16;

    private final MappedByteBuffer memory;

    private ShmTotal(MappedByteBuffer memory) {
        this.memory = memory;
    }

    /** Opens the total of a directory. The first process that opens the file makes it. */
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
            // Another process made the file, with the right mode.
        }
        try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
            // Reserves the page by a byte behind the word. The word itself is not written, because another process may
            // count in it already.
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
