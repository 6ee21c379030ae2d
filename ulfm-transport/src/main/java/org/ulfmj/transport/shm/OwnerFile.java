package org.ulfmj.transport.shm;

import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.ulfmj.transport.host.HostProcess;

/**
 * The owner record: a file by which a process tells that it uses the directory of a job, and how many bytes it has
 * reserved there. Only its owner writes the file; other processes of this host read it.
 *
 * <pre>
 *   0                   8                   16                  24
 *   +-------------------+-------------------+-------------------+
 *   | magic             | pid               | start, ticks      |
 *   +-------------------+-------------------+-------------------+
 *   | pid namespace     | bytes reserved    | length of boot id |
 *   +-------------------+-------------------+-------------------+
 *   | boot id …
 * </pre>
 *
 * Little endian. Read and written through {@link RandomAccessFile}, which an interrupt of the thread does not close.
 */
final class OwnerFile implements AutoCloseable {
    static final String PREFIX = "owner.";
    static final int BYTES = 128;

    private static final long MAGIC = 0x314e574f4d464c55L; // "ULFMOWN1"
    private static final int RESERVED_AT = 32;
    private static final int BOOT_ID_AT = 48;
    /** The end of the name of a file that is still being written. The file gets its final name when it is whole. */
    private static final String UNFINISHED = ".new";

    /** The content of an owner file. */
    record Content(HostProcess owner, long reservedBytes) {}

    private final Path path;
    private final RandomAccessFile file;
    private final byte[] number = new byte[Long.BYTES];

    private OwnerFile(Path path, RandomAccessFile file) {
        this.path = path;
        this.file = file;
    }

    /** Makes the owner file with this name. It replaces a file that an earlier attempt left. */
    static OwnerFile create(Path directory, String name, HostProcess owner) throws IOException {
        byte[] bootId = owner.bootId().getBytes(StandardCharsets.UTF_8);
        if (bootId.length > BYTES - BOOT_ID_AT) {
            throw new IOException("boot id " + owner.bootId() + " is longer than " + (BYTES - BOOT_ID_AT) + " bytes");
        }
        ByteBuffer content = ByteBuffer.allocate(BYTES).order(ByteOrder.LITTLE_ENDIAN);
        content.putLong(MAGIC).putLong(owner.pid()).putLong(owner.startTicks()).putLong(owner.pidNamespace());
        content.putLong(0).putLong(bootId.length).put(bootId);
        Path path = directory.resolve(PREFIX + name);
        Path unfinished = directory.resolve(PREFIX + name + UNFINISHED);
        Files.deleteIfExists(unfinished);
        Files.createFile(unfinished, ShmDirectory.FILE_MODE);
        RandomAccessFile file = new RandomAccessFile(unfinished.toFile(), "rw");
        try {
            file.write(content.array());
            if (!unfinished.toFile().renameTo(path.toFile())) {
                throw new IOException("cannot rename " + unfinished + " to " + path);
            }
            return new OwnerFile(path, file);
        } catch (IOException failed) {
            file.close();
            Files.deleteIfExists(unfinished);
            throw failed;
        }
    }

    /** Whether the file has been removed, as by a rank that has marked this process failed, or by {@link #close}. */
    boolean isForgotten() {
        return !path.toFile().exists();
    }

    static boolean isOwnerFile(String name) {
        return name.startsWith(PREFIX) && !name.endsWith(UNFINISHED);
    }

    /** Reads the file; null if it does not exist any more. */
    static Content read(File file) throws IOException {
        byte[] bytes = new byte[BYTES];
        try (RandomAccessFile open = new RandomAccessFile(file, "r")) {
            open.readFully(bytes);
        } catch (IOException failed) {
            if (!file.exists()) {
                return null;
            }
            throw failed;
        }
        ByteBuffer content = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        long magic = content.getLong();
        long pid = content.getLong();
        long startTicks = content.getLong();
        long pidNamespace = content.getLong();
        long reserved = content.getLong();
        long bootIdBytes = content.getLong();
        if (magic != MAGIC || bootIdBytes < 0 || bootIdBytes > BYTES - BOOT_ID_AT) {
            throw new IOException(file + " is no owner record");
        }
        String bootId = new String(bytes, BOOT_ID_AT, (int) bootIdBytes, StandardCharsets.UTF_8);
        return new Content(new HostProcess(pid, startTicks, pidNamespace, bootId), reserved);
    }

    void setReserved(long bytes) throws IOException {
        ByteBuffer.wrap(number).order(ByteOrder.LITTLE_ENDIAN).putLong(bytes);
        file.seek(RESERVED_AT);
        file.write(number);
    }

    /** Closes the file without removing it. After the end of this process the file shows that its owner is dead. */
    void keep() throws IOException {
        file.close();
    }

    /** Closes and removes the file. */
    @Override
    public void close() throws IOException {
        file.close();
        Files.deleteIfExists(path);
    }
}
