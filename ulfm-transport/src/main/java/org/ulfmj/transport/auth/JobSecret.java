package org.ulfmj.transport.auth;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;

/**
 * The random secret of one job. A process that knows the secret counts as one of the job. So the secret is passed on in
 * a file that only its owner may read, never on a command line. Immutable.
 */
public final class JobSecret {
    public static final int LENGTH_BYTES = 32;
    private static final Set<PosixFilePermission> OWNER_ONLY =
            EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);

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
     * Reads a secret from a file that {@link #write} made.
     *
     * @throws IOException if there is no such file, it has another length, or others than its owner may read it
     */
    public static JobSecret read(Path file) throws IOException {
        requireOwnerOnly(file);
        byte[] bytes = Files.readAllBytes(file);
        if (bytes.length != LENGTH_BYTES) {
            throw new IOException(
                    "job secret " + file + " has " + bytes.length + " bytes, it must have " + LENGTH_BYTES);
        }
        return new JobSecret(bytes);
    }

    private static void requireOwnerOnly(Path file) throws IOException {
        Set<PosixFilePermission> mode;
        try {
            mode = Files.getPosixFilePermissions(file);
        } catch (UnsupportedOperationException noModesHere) {
            return;
        }
        if (!OWNER_ONLY.containsAll(mode)) {
            throw new IOException("job secret " + file + " can be read by others than its owner: its mode is "
                    + PosixFilePermissions.toString(mode) + ", it must be rw-------");
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
