package org.ulfmj.transport.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Map;

/**
 * Kind, owner and mode of what lies at a path. A link is not followed: these are the facts of the link. Immutable.
 *
 * @param isOurs whether the user of this process owns it
 * @param mode as the system keeps it: the kind and the permission bits
 */
public record FileFacts(boolean isOurs, int mode) {
    private static final Path SELF = Path.of("/proc/self");
    private static final String OWNER_AND_MODE = "unix:uid,mode";
    private static final int PERMISSION_BITS = 0777;
    private static final int KIND_BITS = 0170000;
    private static final int DIRECTORY = 0040000;
    private static final int REGULAR = 0100000;

    /**
     * Reads the facts of a path.
     *
     * @throws IOException if nothing lies at the path, or its facts cannot be read
     */
    public static FileFacts of(Path path) throws IOException {
        Map<String, Object> attributes = Files.readAttributes(path, OWNER_AND_MODE, LinkOption.NOFOLLOW_LINKS);
        boolean isOurs = attributes.get("uid").equals(Files.getAttribute(SELF, "unix:uid"));
        return new FileFacts(isOurs, (Integer) attributes.get("mode"));
    }

    public boolean isDirectory() {
        return (mode & KIND_BITS) == DIRECTORY;
    }

    /** Whether it is a file, and no directory, link, pipe, socket or device. */
    public boolean isRegularFile() {
        return (mode & KIND_BITS) == REGULAR;
    }

    /** The rights to read, write and execute: 0700 for the owner alone. */
    public int permissions() {
        return mode & PERMISSION_BITS;
    }
}
