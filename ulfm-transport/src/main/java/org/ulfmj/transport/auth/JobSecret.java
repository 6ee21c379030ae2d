package org.ulfmj.transport.auth;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import org.ulfmj.transport.host.FileFacts;

/**
 * The random secret of one job. A process that knows the secret counts as one of the job. So the secret is passed on in
 * a file that only its owner may read, never on a command line. Immutable.
 */
public final class JobSecret {
    public static final int LENGTH_BYTES = 32;
    private static final Set<PosixFilePermission> OWNER_ONLY =
            EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);

    private static final int OWNER_READS_AND_WRITES = 0600;
    private static final Set<OpenOption> READ = Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);

    private final byte[] bytes;

    private JobSecret(byte[] bytes) {
        this.bytes = bytes;
    }

    public static JobSecret random() {
        return new JobSecret(RandomBytes.next(LENGTH_BYTES));
    }

    /** @throws IllegalArgumentException if the secret is not {@link #LENGTH_BYTES} long */
    public static JobSecret of(byte[] bytes) {
        if (bytes.length != LENGTH_BYTES) {
            throw new IllegalArgumentException(
                    "a job secret has " + LENGTH_BYTES + " bytes, this one has " + bytes.length);
        }
        return new JobSecret(bytes.clone());
    }

    /**
     * Reads a secret from a file that {@link #write} made. A link is not followed: the file that it points to may be
     * one that another user chose.
     *
     * @throws IOException if there is no such file, it has another length, it belongs to another user, or others than
     *     its owner may read it
     */
    public static JobSecret read(Path file) throws IOException {
        requireOurs(file);
        ByteBuffer bytes = ByteBuffer.allocate(LENGTH_BYTES + 1);
        try (SeekableByteChannel channel = Files.newByteChannel(file, READ)) {
            while (bytes.hasRemaining() && channel.read(bytes) >= 0) {
                // Reads on until the end of the file, or one byte more than a secret has.
            }
            if (bytes.position() != LENGTH_BYTES) {
                throw new IOException(
                        "job secret " + file + " has " + channel.size() + " bytes, it must have " + LENGTH_BYTES);
            }
        }
        return new JobSecret(Arrays.copyOf(bytes.array(), LENGTH_BYTES));
    }

    private static void requireOurs(Path file) throws IOException {
        FileFacts facts;
        try {
            facts = FileFacts.of(file);
        } catch (UnsupportedOperationException | IllegalArgumentException noModesHere) {
            return;
        }
        if (!facts.isRegularFile()) {
            throw new IOException("job secret " + file + " is no file but a link, a directory or a device");
        }
        if (!facts.isOurs()) {
            throw new IOException("job secret " + file + " belongs to another user");
        }
        if ((facts.permissions() & ~OWNER_READS_AND_WRITES) != 0) {
            throw new IOException("job secret " + file + " can be read by others than its owner: its mode is "
                    + PosixFilePermissions.toString(Files.getPosixFilePermissions(file, LinkOption.NOFOLLOW_LINKS))
                    + ", it must be rw-------");
        }
    }

    /** Writes the secret to a new file of mode 0600. Fails if the file exists already. */
    public void write(Path file) throws IOException {
        Files.createFile(file, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
        Files.write(file, bytes, StandardOpenOption.WRITE);
    }

    /** A copy of the secret's bytes. */
    public byte[] bytes() {
        return bytes.clone();
    }

    /** A text without the secret. */
    @Override
    public String toString() {
        return "job secret";
    }
}
