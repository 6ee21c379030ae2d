package org.ulfmj.runtime.process;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * The lock that a rank needs to end a silent process of its host once the launcher is dead, unless that process has the
 * lock itself and is stopped. It is a file in the job directory, locked by at most one process; the lock goes when that
 * process ends. Under the engine lock; never waits.
 */
final class HostLock {
    private static final String NAME = "lock";
    private static final Path LOCKS = Path.of("/proc/locks");

    /**
     * The index of the pid among the fields of a line such as {@code 1: POSIX ADVISORY WRITE 4711 08:01:393223 0 EOF}.
     */
    private static final int PID_FIELD = 4;

    private static final int INODE_FIELD = 5;

    private final Path file;
    private FileChannel channel;
    private FileLock lock;

    HostLock(Path jobDirectory) {
        this.file = jobDirectory.resolve(NAME);
    }

    /**
     * Takes the lock, unless another process has it. Returns whether this process has it; false also where the file
     * cannot be opened or locked.
     */
    boolean tryLock() {
        if (lock != null) {
            return true;
        }
        try {
            if (channel == null || !channel.isOpen()) {
                channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            }
            lock = channel.tryLock();
        } catch (IOException | OverlappingFileLockException refused) {
            return false;
        }
        return lock != null;
    }

    /**
     * Gives the lock back by closing the channel. Closing any channel to the file would give it back, so there is only
     * one channel.
     */
    void unlock() {
        lock = null;
        if (channel != null) {
            try {
                channel.close();
            } catch (IOException nothingWritten) {
                // The lock went with the descriptor.
            }
            channel = null;
        }
    }

    /**
     * Returns the pid of the process that has the lock, as this pid namespace numbers it; 0 if there is none, or the
     * system does not tell.
     */
    long holder() {
        try {
            Object inode = Files.getAttribute(file, "unix:ino");
            return holder(Files.readAllLines(LOCKS), inode.toString());
        } catch (IOException | UnsupportedOperationException noFile) {
            return 0;
        }
    }

    /**
     * Returns the pid in the line of the lock's holder; 0 if there is no such line. A process that waits for a lock is
     * shown too, by a line with an arrow, which has one field more.
     */
    static long holder(List<String> lines, String inode) {
        for (String line : lines) {
            String[] fields = line.trim().split("\\s+");
            if (fields.length > INODE_FIELD && fields[INODE_FIELD].endsWith(":".concat(inode))) {
                try {
                    return Long.parseLong(fields[PID_FIELD]);
                } catch (NumberFormatException anotherFormat) {
                    return 0;
                }
            }
        }
        return 0;
    }
}
