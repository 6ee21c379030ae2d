package org.ulfmj.transport.shm;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;

/**
 * The part of a job's shared memory on its host that this process has reserved. The bound for all processes together is
 * the value of {@code ulfm.shm.max} or the size of the file system, if that is smaller. A process first adds its bytes
 * and then looks at the sum, so two processes at the same time may both be refused, but never exceed the bound
 * together. Memory that dead processes had reserved does not count.
 *
 * <p>The sum is one word that all processes have mapped. The sum is never too small: it includes the bytes of a dead
 * process until another process {@linkplain #forget forgets} the dead one. So if the sum is within the bound, there is
 * room. If it is not, a process adds up the bytes in the owner records of the processes that may be alive.
 *
 * <p>Any thread. The owner records of others are read without the monitor, so that a thread that gives back bytes does
 * not wait while another thread reads them.
 */
final class ShmRoom {
    private final File directory;
    private final OwnerFile record;
    private final ShmTotal total;
    private final long maxBytes;
    private final long fileSystemBytes;
    private long reservedBytes;

    /** @param maxBytes how many bytes all processes of the job may reserve together */
    ShmRoom(Path directory, OwnerFile record, long maxBytes) throws IOException {
        this.total = ShmTotal.open(directory);
        this.directory = directory.toFile();
        this.record = record;
        this.maxBytes = maxBytes;
        long totalBytes = this.directory.getTotalSpace();
        // A file system that reports the size 0 has no bound.
        this.fileSystemBytes = totalBytes == 0 ? Long.MAX_VALUE : totalBytes;
    }

    long boundBytes() {
        return Math.min(maxBytes, fileSystemBytes);
    }

    synchronized long reservedBytes() {
        return reservedBytes;
    }

    /**
     * Reserves this many bytes more, if there is room. Returns whether they are reserved.
     *
     * @param mostBytes how many bytes all processes may have reserved together afterwards
     */
    boolean reserve(int bytes, long mostBytes) throws IOException {
        add(bytes);
        boolean hasRoom = false;
        try {
            hasRoom = total.bytes() <= mostBytes || reservedByLiving() <= mostBytes;
        } finally {
            if (!hasRoom) {
                giveBack(bytes);
            }
        }
        return hasRoom;
    }

    private synchronized void add(int bytes) throws IOException {
        // The sum is changed before the record, and when bytes are given back after it. So a process that is killed in
        // between leaves the sum too large, never too small.
        total.add(bytes);
        boolean isSaid = false;
        try {
            record.setReserved(reservedBytes + bytes);
            reservedBytes += bytes;
            isSaid = true;
        } finally {
            if (!isSaid) {
                total.add(-bytes);
            }
        }
    }

    synchronized void giveBack(int bytes) {
        reservedBytes -= bytes;
        try {
            record.setReserved(reservedBytes);
        } catch (IOException unwritable) {
            // The owner record could not be written, and names too many bytes. So the bound is reached early, which
            // does no harm.
        }
        if (!record.isForgotten()) {
            total.add(-bytes);
        }
    }

    /** Removes the owner record of a dead process, and, if the record can be read, takes its bytes out of the sum. */
    void forget(String recordName) {
        File file = new File(directory, OwnerFile.PREFIX + recordName);
        try {
            OwnerFile.Content content = OwnerFile.read(file);
            // Only one survivor succeeds in deleting the record.
            if (content != null && file.delete()) {
                total.add(-content.reservedBytes());
            }
        } catch (IOException unreadable) {
            file.delete();
        }
    }

    /** The reason for a refusal by {@link #reserve}, as a text. */
    String refusal(int bytes) {
        String whose = maxBytes <= fileSystemBytes
                ? "ulfm.shm.max (" + maxBytes + " bytes)"
                : "the file system of " + directory + " (" + fileSystemBytes + " bytes)";
        return whose + " has no room for " + bytes + " bytes more";
    }

    /**
     * Whether a quarter of the file system stays free for lanes if this many bytes are taken; true also if the file
     * system reports no size.
     */
    boolean leavesRoom(int bytes) {
        return fileSystemBytes == Long.MAX_VALUE || directory.getUsableSpace() - bytes >= fileSystemBytes / 4;
    }

    private long reservedByLiving() throws IOException {
        long sum = 0;
        String[] names = directory.list();
        if (names != null) {
            for (String name : names) {
                if (OwnerFile.isOwnerFile(name)) {
                    OwnerFile.Content other = OwnerFile.read(new File(directory, name));
                    if (other != null && other.owner().mayBeAlive()) {
                        sum += other.reservedBytes();
                    }
                }
            }
        }
        return sum;
    }
}
