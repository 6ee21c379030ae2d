package org.ulfmj.launch.archive;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;

/**
 * Removes what nothing uses any more from the directory of archives, each time a new one is made: archives of jars or
 * Java installations that do not exist and have made none for a month, and directories of launchers that were killed
 * while they made one. A small file beside each archive says what it is for; an archive without one goes when it is a
 * month old. What is missing here may exist in another container that has the same home, so it is not enough to be
 * missing. An entry that cannot be read stays, and keeps no other one.
 */
final class ArchiveSweep {
    /** How the names of directories begin in which archives are made. */
    static final String MAKING = "making";

    private static final String ORIGIN = ".of";
    private static final String ARCHIVES = "*.jsa";
    private static final long ABANDONED_MS = 60 * 60 * 1000;
    private static final long UNUSED_MS = 30L * 24 * 60 * 60 * 1000;

    private final Path directory;
    private final String place;
    private final Path java;
    private final Path jar;

    /** @param place what the name of the archive of this Java installation and this jar begins with */
    ArchiveSweep(Path directory, String place, Path java, Path jar) {
        this.directory = directory;
        this.place = place;
        this.java = java;
        this.jar = jar;
    }

    void sweep() throws IOException {
        Files.write(origin(place), List.of(java.toString(), jar.toString()), StandardCharsets.UTF_8);
        each(MAKING + "*", making -> {
            if (isOlder(making, ABANDONED_MS)) {
                ClassDataArchive.removeAll(making);
            }
        });
        each(ARCHIVES, archive -> {
            if (!Files.isSymbolicLink(archive) && isUseless(archive)) {
                Files.deleteIfExists(archive);
            }
        });
        each("*" + ORIGIN, origin -> {
            if (isGone(origin) && isOlder(origin, UNUSED_MS)) {
                Files.deleteIfExists(origin);
            }
        });
        each(ARCHIVES, link -> {
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
                    // It may have gone meanwhile, or another program has changed it.
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

    /** Whether one of the files that an archive was made from is no longer there. */
    private static boolean isGone(Path origin) throws IOException {
        for (String file : Files.readAllLines(origin, StandardCharsets.UTF_8)) {
            if (!Files.exists(Path.of(file))) {
                return true;
            }
        }
        return false;
    }

    /** By the clock that gave the file its time. */
    private static boolean isOlder(Path file, long ageMs) throws IOException {
        return System.currentTimeMillis() - Files.getLastModifiedTime(file).toMillis() > ageMs;
    }
}
