package org.ulfmj.transport.shm;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;
import org.ulfmj.transport.host.FileFacts;
import org.ulfmj.transport.host.HostProcess;

/**
 * The directory of the shared files of one job on one host: {@code ulfm-shm-RUN} under {@code /dev/shm} or under the
 * directory that {@code ulfm.shm.dir} names. Its mode is 0700, so that only this user's processes see the names in it.
 * The launcher, or on another host its agent, makes the directory and is its first owner. Every process that uses the
 * directory adds its own owner record, so that {@link ShmSweeper} can tell when no process is left. Immutable.
 */
public final class ShmDirectory {
    static final String PREFIX = "ulfm-shm-";
    static final FileAttribute<Set<PosixFilePermission>> FILE_MODE = PosixFilePermissions.asFileAttribute(
            EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE));

    private static final FileAttribute<Set<PosixFilePermission>> DIRECTORY_MODE =
            PosixFilePermissions.asFileAttribute(EnumSet.of(
                    PosixFilePermission.OWNER_READ,
                    PosixFilePermission.OWNER_WRITE,
                    PosixFilePermission.OWNER_EXECUTE));

    private static final String LAUNCHER = "launcher";
    private static final int OWNER_ONLY = 0700;

    private final Path path;

    private ShmDirectory(Path path) {
        this.path = path;
    }

    /** The path that the directory of a job has under {@code base}. */
    public static Path pathFor(Path base, String runId) {
        return base.resolve(PREFIX + runId);
    }

    /**
     * Makes the directory. For the launcher.
     *
     * @throws IOException if the directory or the owner record of the launcher cannot be made, or if the directory
     *     exists already and so belongs to another job
     */
    public static ShmDirectory create(Path path) throws IOException {
        Files.createDirectory(path, DIRECTORY_MODE);
        ShmDirectory directory = new ShmDirectory(path);
        try {
            OwnerFile.create(path, LAUNCHER, HostProcess.self()).keep();
        } catch (IOException failed) {
            directory.remove();
            throw failed;
        }
        return directory;
    }

    /**
     * The directory that the launcher made.
     *
     * @throws IOException if there is no such directory, if it belongs to another user, or if its mode is not 0700: a
     *     process that can reach the files can read and forge every message in them
     */
    public static ShmDirectory open(Path path) throws IOException {
        if (!isOursAlone(path)) {
            throw new IOException(
                    path + " cannot hold shared memory: it must be a directory of this user with mode rwx------");
        }
        return new ShmDirectory(path);
    }

    /** Whether a path is a directory, not a link to one, that belongs to this user and has the mode 0700. */
    static boolean isOursAlone(Path path) throws IOException {
        FileFacts facts = FileFacts.of(path);
        return facts.isOurs() && facts.isDirectory() && facts.permissions() == OWNER_ONLY;
    }

    public Path path() {
        return path;
    }

    /**
     * Unlinks all files in the directory, and removes the directory. Mappings of the files in live processes stay
     * usable, because no file is truncated.
     */
    public void remove() {
        remove(path.toFile());
    }

    static void remove(File directory) {
        File[] files = directory.listFiles();
        if (files != null) {
            for (File file : files) {
                file.delete();
            }
        }
        directory.delete();
    }
}
