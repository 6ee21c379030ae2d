package org.ulfmj.transport.auth;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;
import org.ulfmj.transport.host.FileFacts;

/**
 * The random secret of one job. A process that knows the secret counts as one of the job. So a file that holds the
 * secret may be read by its owner only. Immutable.
 */
public final class JobSecret {
    public static final int LENGTH_BYTES = 32;
    private static final Set<PosixFilePermission> OWNER_ONLY =
            EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);

    private static final int OWNER_READS_AND_WRITES = 0600;

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
     * @throws IOException if there is no such file, it is no regular file, it has another length, it belongs to another
     *     user, its mode gives any right but the owner's to read and write, or it cannot be read
     */
    public static JobSecret read(Path file) throws IOException {
        requireOurs(file);
        byte[] bytes;
        // A stream and no channel: a thread that is interrupted reads the file all the same.
        try (InputStream in = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
            bytes = in.readNBytes(LENGTH_BYTES + 1);
        }
        if (bytes.length != LENGTH_BYTES) {
            throw new IOException("job secret " + file + " has "
                    + (bytes.length < LENGTH_BYTES ? bytes.length : "more than " + LENGTH_BYTES)
                    + " bytes, it must have " + LENGTH_BYTES);
        }
        return new JobSecret(bytes);
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
