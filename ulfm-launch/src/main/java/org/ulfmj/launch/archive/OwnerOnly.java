package org.ulfmj.launch.archive;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.ulfmj.transport.host.FileFacts;

/**
 * Checks whether files and directories belong to this user and no other user can read or write them. Also creates such
 * directories, and gives files that mode. A virtual machine that maps an archive trusts its content, so an archive that
 * another user could have written must not be used.
 */
final class OwnerOnly {
    private static final int FILE_MODE = 0100600;
    private static final int DIRECTORY_MODE = 0040700;

    private OwnerOnly() {}

    /** Whether a path is a regular file (not a link to one) of this user with mode 0600. */
    static boolean isFile(Path file) throws IOException {
        return is(file, FILE_MODE);
    }

    /** Whether a path is a directory (not a link to one) of this user with mode 0700. */
    static boolean isDirectory(Path directory) throws IOException {
        return is(directory, DIRECTORY_MODE);
    }

    /** Sets the mode of a file to 0600, so that no other user can read or write it. */
    static void close(Path file) throws IOException {
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }

    /**
     * Creates a directory of mode 0700, and the missing directories above it with the usual modes. Leaves the directory
     * as it is if it exists.
     */
    static void createDirectory(Path directory) throws IOException {
        Files.createDirectories(directory.getParent());
        Files.createDirectories(
                directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }

    private static boolean is(Path path, int mode) throws IOException {
        try {
            FileFacts facts = FileFacts.of(path);
            return facts.mode() == mode && facts.isOurs();
        } catch (NoSuchFileException missing) {
            return false;
        }
    }
}
