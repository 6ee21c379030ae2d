package org.ulfmj.transport.shm;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;

/**
 * What this process has reserved of the memory that a job may use on its host. The bound is the option's or the size of
 * the file system, the smaller of the two. A process adds first and looks at the sum afterwards, so two at once may
 * both be refused, but never both be let in beyond it. What the dead had reserved does not count.
 *
 * <p>The sum is one word that all have mapped. It is never too small: the dead are in it until a process
 * {@linkplain #forget forgets} them. So who finds it within the bound need not look further, and who does not adds up
 * what the living say in their records.
 *
 * <p>Any thread. The records of others are read without the monitor: a thread that gives back never waits for one that
 * asks.
 */
final class ShmRoom {
    private final File directory;
    private final OwnerFile record;
    private final ShmTotal total;
    private final long maxBytes;
    private final long fileSystemBytes;
    private long reservedBytes;

    /** @param maxBytes of all processes of the job together */
    ShmRoom(Path directory, OwnerFile record, long maxBytes) throws IOException {
        this.total = ShmTotal.open(directory);
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
     * Whether this many bytes more are reserved now.
     *
     * @param mostBytes that all processes may have together then
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
        // The sum first, and last when it is given back: who is killed between the two leaves it too large.
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
            // Our record says too much then: the bound is reached early, and no harm is done.
        }
        if (!record.isForgotten()) {
            total.add(-bytes);
        }
    }

    /** The process of this record is dead: no process counts any more what it had reserved. */
    void forget(String recordName) {
        File file = new File(directory, OwnerFile.PREFIX + recordName);
        try {
            OwnerFile.Content content = OwnerFile.read(file);
            // Of all survivors one takes it away.
            if (content != null && file.delete()) {
                total.add(-content.reservedBytes());
            }
        } catch (IOException unreadable) {
            file.delete();
        }
    }

    /** Why {@link #reserve} said no. */
    String refusal(int bytes) {
        String whose = maxBytes <= fileSystemBytes
                ? "ulfm.shm.max (" + maxBytes + " bytes)"
                : "the file system of " + directory + " (" + fileSystemBytes + " bytes)";
        return whose + " has no room for " + bytes + " bytes more";
    }

    /** Whether a quarter of the file system stays free beside this many bytes: lanes need it. */
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
