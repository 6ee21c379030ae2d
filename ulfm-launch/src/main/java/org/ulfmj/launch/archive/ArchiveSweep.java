package org.ulfmj.launch.archive;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;

/**
 * Removes unused files from a directory of archives, each time an archive is made. It removes archives whose jar or
 * Java installation does not exist and that are older than a month, and directories and locks older than an hour that
 * were left when an archive was made. A small file beside each archive names its jar and its Java installation; an
 * archive without that file is removed when it is a month old. A jar that is missing here may exist in another
 * container that has the same home directory, so a missing jar alone is no reason to remove its archive. An entry that
 * cannot be read stays, and does not stop the sweep.
 */
final class ArchiveSweep {
    /** The beginning of the names of directories in which archives are made. */
    static final String MAKING = "making";

    /** The end of the names of locks, which a process removes when it has made its archive. */
    static final String LOCK = ".lock";

    private static final String ORIGIN = ".of";
    private static final long ABANDONED_MS = 60 * 60 * 1000;
    private static final long UNUSED_MS = 30L * 24 * 60 * 60 * 1000;

    private final ArchiveKey key;
    private final Path directory;
    private final String archives;

    /**
     * @param key the key of the archive that was made
     * @param directory the directory of the archives
     * @param suffix the end of the archives' names
     */
    ArchiveSweep(ArchiveKey key, Path directory, String suffix) {
        this.key = key;
        this.directory = directory;
        this.archives = "*" + suffix;
    }

    void sweep() throws IOException {
        List<String> ours = List.of(key.java().toString(), key.jar().toString());
        Files.write(origin(key.place()), ours, StandardCharsets.UTF_8);
        each(MAKING + "*", making -> {
            if (isOlder(making, ABANDONED_MS)) {
                Making.removeAll(making);
            }
        });
        each("*" + LOCK, lock -> {
            if (isOlder(lock, ABANDONED_MS)) {
                Files.deleteIfExists(lock);
            }
        });
        each(archives, archive -> {
            if (!Files.isSymbolicLink(archive) && isUseless(archive)) {
                Files.deleteIfExists(archive);
            }
        });
        each("*" + ORIGIN, origin -> {
            if (isGone(origin) && isOlder(origin, UNUSED_MS)) {
                Files.deleteIfExists(origin);
            }
        });
        each(archives, link -> {
            if (Files.isSymbolicLink(link) && !Files.exists(link)) {
                Files.deleteIfExists(link);
            }
        });
    }

    private interface Visit {
        void of(Path entry) throws IOException;
    }

    private void each(String names, Visit visit) throws IOException {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory, names)) {
            for (Path entry : entries) {
                try {
                    visit.of(entry);
                } catch (IOException | InvalidPathException stays) {
                    // Nothing to do: the entry may be gone meanwhile, or another program may have changed it.
                }
            }
        }
    }

    private boolean isUseless(Path archive) throws IOException {
        Path origin = origin(placeOf(archive));
        return (!Files.exists(origin) || isGone(origin)) && isOlder(archive, UNUSED_MS);
    }

    private Path origin(String itsPlace) {
        return directory.resolve(itsPlace + ORIGIN);
    }

    private static String placeOf(Path archive) {
        String name = archive.getFileName().toString();
        int dash = name.indexOf('-');
        return dash < 0 ? name : name.substring(0, dash);
    }

    /** Whether the jar or the Java installation of an archive no longer exists. */
    private static boolean isGone(Path origin) throws IOException {
        for (String file : Files.readAllLines(origin, StandardCharsets.UTF_8)) {
            if (!Files.exists(Path.of(file))) {
                return true;
            }
        }
        return false;
    }

    /** Whether a file was last modified longer ago than the given time. */
    private static boolean isOlder(Path file, long ageMs) throws IOException {
        return System.currentTimeMillis() - Files.getLastModifiedTime(file).toMillis() > ageMs;
    }
}
