package org.ulfmj.transport.shm;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;

/**
 * What this process has reserved of the memory that a job may use on its host. The bound is the option's or the size of the file
 * system, whichever is smaller, and is kept by what each process says in its own record: a process adds first and looks at the
 * sum afterwards, so two at once may both be refused, but never both be let in beyond it. What the dead had reserved does not
 * count.
 *
 * <p>Any thread. The records of others are read without the monitor: a thread that gives back never waits for one that asks.
 */
final class ShmRoom {
    private final File directory;
    private final OwnerFile record;
    private final long maxBytes;
    private final long fileSystemBytes;
    private long reservedBytes;

    /** @param maxBytes of all processes of the job together */
    ShmRoom(Path directory, OwnerFile record, long maxBytes) {
        this.directory = directory.toFile();
        this.record = record;
        this.maxBytes = maxBytes;
        long totalBytes = this.directory.getTotalSpace();
        // A file system of no size is one without a bound.
        this.fileSystemBytes = totalBytes == 0 ? Long.MAX_VALUE : totalBytes;
    }

    long boundBytes() {
        return Math.min(maxBytes, fileSystemBytes);
    }

    synchronized long reservedBytes() {
        return reservedBytes;
    }

    /**
     * Whether so many bytes more are reserved now.
     *
     * @param mostBytes that all processes may have together then
     */
    boolean reserve(int bytes, long mostBytes) throws IOException {
        add(bytes);
        boolean hasRoom = false;
        try {
            hasRoom = reservedByJob(false) <= mostBytes || reservedByJob(true) <= mostBytes;
        } finally {
            if (!hasRoom) {
                giveBack(bytes);
            }
        }
        return hasRoom;
    }

    private synchronized void add(int bytes) throws IOException {
        record.setReserved(reservedBytes + bytes);
        reservedBytes += bytes;
    }

    synchronized void giveBack(int bytes) {
        reservedBytes -= bytes;
        try {
            record.setReserved(reservedBytes);
        } catch (IOException unwritable) {
            // Our record says too much then: the bound is reached early, and no harm is done.
        }
    }

    /** Why {@link #reserve} said no. */
    String refusal(int bytes) {
        String whose = maxBytes <= fileSystemBytes
                ? "ulfm.shm.max (" + maxBytes + " bytes)"
                : "the file system of " + directory + " (" + fileSystemBytes + " bytes)";
        return whose + " has no room for " + bytes + " bytes more";
    }

    /** Whether a quarter of the file system stays free beside so many bytes: lanes need it. */
    boolean leavesRoom(int bytes) {
        return fileSystemBytes == Long.MAX_VALUE || directory.getUsableSpace() - bytes >= fileSystemBytes / 4;
    }

    /** Looking after the dead costs a system call more for each process, so it is done only when there is need. */
    private long reservedByJob(boolean livingOnly) throws IOException {
        long sum = 0;
        String[] names = directory.list();
        if (names != null) {
            for (String name : names) {
                if (OwnerFile.isOwnerFile(name)) {
                    OwnerFile.Content other = OwnerFile.read(new File(directory, name));
                    if (other != null && (!livingOnly || other.owner().mayBeAlive())) {
                        sum += other.reservedBytes();
                    }
                }
            }
        }
        return sum;
    }
}
