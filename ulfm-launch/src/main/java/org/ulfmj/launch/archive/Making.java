package org.ulfmj.launch.archive;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * One attempt to make an archive, in a new directory next to the archives. Virtual machines create the files
 * themselves, and the new directory makes sure that their names are not taken. The finished archive is then moved to
 * its place in one step. A signal ends the commands of the attempt and removes the directory.
 */
final class Making implements AutoCloseable {
    private final Path directory;
    private final Path made;
    private final Thread onSignal;

    private Making(Path directory, QuietRun commands) {
        this.directory = directory;
        this.made = directory.resolve("made");
        this.onSignal = new Thread(() -> {
            commands.stop();
            removeQuietly(directory);
        });
    }

    /** @param commands of the attempt */
    static Making begin(Path archives, QuietRun commands) throws IOException {
        Making making = new Making(Files.createTempDirectory(archives, ArchiveSweep.MAKING), commands);
        Runtime.getRuntime().addShutdownHook(making.onSignal);
        return making;
    }

    /** Returns the directory, which holds only the files of this attempt. */
    Path directory() {
        return directory;
    }

    /** Where the archive is to be written. */
    Path made() {
        return made;
    }

    /**
     * Replaces what a failed attempt has written, which may be incomplete because of a full disk for instance, by an
     * empty file. The empty file keeps other jobs from trying again at once.
     */
    void fail() throws IOException {
        Files.deleteIfExists(made);
        Files.createFile(made);
    }

    void moveTo(Path archive) throws IOException {
        Files.move(made, archive, StandardCopyOption.ATOMIC_MOVE);
    }

    /**
     * Whether an archive is the empty file of an attempt that failed more than this time ago. A job then tries again,
     * as the cause may be gone: a full disk, or a machine that was too busy.
     */
    static boolean isFailure(Path archive, long leastAgeMs) throws IOException {
        long ageMs =
                System.currentTimeMillis() - Files.getLastModifiedTime(archive).toMillis();
        return Files.size(archive) == 0 && ageMs > leastAgeMs;
    }

    @Override
    public void close() {
        removeQuietly(directory);
        try {
            Runtime.getRuntime().removeShutdownHook(onSignal);
        } catch (IllegalStateException hasBegun) {
            // The shutdown has begun already, and its hook removes the directory.
        }
    }

    private static void removeQuietly(Path directory) {
        try {
            removeAll(directory);
        } catch (IOException removedAlready) {
            // A signal has ended the launcher, and the hook has removed the files; or a file stays until the next
            // sweep.
        }
    }

    static void removeAll(Path directory) throws IOException {
        try (DirectoryStream<Path> left = Files.newDirectoryStream(directory)) {
            for (Path file : left) {
                Files.deleteIfExists(file);
            }
        }
        Files.delete(directory);
    }
}
