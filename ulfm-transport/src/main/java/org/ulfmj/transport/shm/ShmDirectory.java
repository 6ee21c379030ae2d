package org.ulfmj.transport.shm;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.ulfmj.transport.host.HostProcess;

/**
 * Where the shared files of one job on one host are: {@code ulfm-shm-RUN} under {@code /dev/shm} or wherever an option
 * says, of mode 0700, so that no process but the user sees a name in it. Made by the launcher, which is its first
 * owner; every process that uses it adds its own record, so that {@link ShmSweeper} knows when no process is left.
 * Immutable.
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
    private static final Path SELF = Path.of("/proc/self");
    private static final String OWNER_AND_MODE = "unix:uid,mode";
    private static final int PERMISSION_BITS = 0777;
    private static final int OWNER_ONLY = 0700;
    private static final int FILE_TYPE_BITS = 0170000;
    private static final int IS_DIRECTORY = 0040000;

    private final Path path;

    private ShmDirectory(Path path) {
        this.path = path;
    }

    /** The path that the directory of a job has under {@code base}. */
    public static Path pathFor(Path base, String runId) {
        return base.resolve(PREFIX + runId);
    }

    /**
     * Makes it, for the launcher.
     *
     * @throws IOException if it cannot be made here, or exists: then it is not ours. The job does without then
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
     * @throws IOException if there is none, or if it belongs to another process or others may look into it: any process
     *     that can reach the files can read and forge every message
     */
    public static ShmDirectory open(Path path) throws IOException {
        if (!isOursAlone(path)) {
            throw new IOException(
                    path + " cannot hold shared memory: it must be a directory of this user with mode rwx------");
        }
        return new ShmDirectory(path);
    }

    /** Whether it is a directory, not a link to one, that belongs to this user and is closed to others. */
    static boolean isOursAlone(Path path) throws IOException {
        Map<String, Object> attributes = Files.readAttributes(path, OWNER_AND_MODE, LinkOption.NOFOLLOW_LINKS);
        int mode = (Integer) attributes.get("mode");
        Object user = Files.getAttribute(SELF, "unix:uid");
        return attributes.get("uid").equals(user)
                && (mode & FILE_TYPE_BITS) == IS_DIRECTORY
                && (mode & PERMISSION_BITS) == OWNER_ONLY;
    }

    public Path path() {
        return path;
    }

    /**
     * Unlinks everything in it and the directory itself. Mappings that live processes have of the files stay whole, for
     * nothing is truncated.
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
