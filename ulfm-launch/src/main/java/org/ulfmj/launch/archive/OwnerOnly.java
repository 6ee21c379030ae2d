package org.ulfmj.launch.archive;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;

/**
 * Files and directories that belong to this user and that no other user can read or write. A virtual machine that maps
 * an archive trusts what is in it, so an archive that another user could have written must not be used.
 */
final class OwnerOnly {
    private static final Path SELF = Path.of("/proc/self");
    private static final String ATTRIBUTES = "unix:uid,mode";
    private static final int FILE_MODE = 0100600;
    private static final int DIRECTORY_MODE = 0040700;

    private OwnerOnly() {}

    /** Whether a path is a regular file, not a link to one, of this user and of mode 0600. */
    static boolean isFile(Path file) throws IOException {
        return is(file, FILE_MODE);
    }

    /** Whether a path is a directory, not a link to one, of this user and of mode 0700. */
    static boolean isDirectory(Path directory) throws IOException {
        return is(directory, DIRECTORY_MODE);
    }

    /** Closes a file of this user to all other users. */
    static void close(Path file) throws IOException {
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }

    /** Creates a directory of mode 0700, and the directories above it. Does nothing if it exists, whatever its mode. */
    static void createDirectory(Path directory) throws IOException {
        Files.createDirectories(directory.getParent());
        Files.createDirectories(
                directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }

    private static boolean is(Path path, int mode) throws IOException {
        try {
            Map<String, Object> attributes = Files.readAttributes(path, ATTRIBUTES, LinkOption.NOFOLLOW_LINKS);
            return attributes.get("mode").equals(mode)
                    && attributes.get("uid").equals(Files.getAttribute(SELF, "unix:uid"));
        } catch (NoSuchFileException missing) {
            return false;
        }
    }
}
