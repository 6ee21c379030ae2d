package org.ulfmj.launch.archive;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import org.ulfmj.launch.program.Installation;

/**
 * The cache from which ranks can start on Java 25 and later. It holds classes, as {@link ClassDataArchive} does, and
 * the profiles of methods that exchange messages. With the profiles a virtual machine compiles these methods early, and
 * for the branches that they usually take, so messages are fast sooner.
 *
 * <p>A training job of several seconds records the profiles ({@link AotRecording}), which is too long for a user to
 * wait. So a background process makes the cache after a job that ended well ({@link AotMaker}). Until then, and where
 * no cache can be used, ranks start from the class data if possible.
 *
 * <p>The name of a cache is derived from the Java installation, the jar and the {@link MachineShape}.
 */
final class AotCache {
    /** The first version whose caches hold profiles. */
    static final int FIRST_WITH_PROFILES = 25;

    private static final String SUFFIX = ".aot";
    private static final long MOST_SECONDS = 55;
    /**
     * How long after a failure no other attempt is made. A later attempt may succeed: at the lowest priority one may
     * fail because the machine is busy.
     */
    private static final long RETRY_MS = 60 * 60 * 1000;

    private final ArchiveKey key;
    private final MachineShape shape;
    private final Path directory;
    private final Path file;

    AotCache(ArchiveKey key, MachineShape shape) {
        this.key = key;
        this.shape = shape;
        this.directory = key.directory().resolve("aot");
        this.file = directory.resolve(key.place() + "-" + key.version() + "-" + shape.name() + SUFFIX);
    }

    MachineShape shape() {
        return shape;
    }

    /** Whether ranks can start from the cache: it exists, is not empty, and no other user can have written it. */
    boolean isUsable() throws IOException {
        return OwnerOnly.isDirectory(directory) && OwnerOnly.isFile(file) && Files.size(file) > 0;
    }

    /**
     * Whether the cache is to be made: it does not exist, or the last attempt to make it failed more than an hour ago.
     * False if the cache's directory exists and is not one that only this user can read and write.
     */
    boolean isMissing() throws IOException {
        if (Files.exists(directory) && !OwnerOnly.isDirectory(directory)) {
            return false;
        }
        return !Files.exists(file) || Making.isFailure(file, RETRY_MS);
    }

    /**
     * Returns the options for the virtual machine. If the cache does not fit after all, because of an unusual option,
     * the virtual machine goes on without it and prints nothing about that.
     */
    List<String> options() {
        return List.of("-XX:AOTCache=" + file, "-Xlog:aot*=off");
    }

    /**
     * Makes the cache, unless it is not {@link #isMissing missing} or another process is making it. An empty file marks
     * a failure.
     *
     * @param launcher the name of the class whose main method runs jobs
     */
    void make(Installation ours, String launcher) throws IOException {
        OwnerOnly.createDirectory(directory);
        if (!OwnerOnly.isDirectory(directory)) {
            return;
        }
        Path lockFile = directory.resolve(file.getFileName() + ArchiveSweep.LOCK);
        try (FileChannel channel = FileChannel.open(
                        lockFile,
                        Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE),
                        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
                FileLock lock = channel.tryLock()) {
            if (lock != null && isMissing()) {
                makeLocked(ours, launcher);
                Files.deleteIfExists(lockFile);
            }
        }
    }

    private void makeLocked(Installation ours, String launcher) throws IOException {
        QuietRun commands = new QuietRun(MOST_SECONDS);
        try (Making making = Making.begin(directory, commands)) {
            AotRecording recording = new AotRecording(key, shape, commands, making.directory());
            if (!recording.make(ours, launcher, making.made())) {
                making.fail();
            }
            OwnerOnly.close(making.made());
            making.moveTo(file);
            removeOlder();
            new ArchiveSweep(key, directory, SUFFIX).sweep();
        }
    }

    /**
     * Removes caches for the same paths that were made for another build of our jar, or for another update of the Java
     * installation.
     */
    private void removeOlder() throws IOException {
        String current = key.place() + "-" + key.version() + "-";
        try (DirectoryStream<Path> caches = Files.newDirectoryStream(directory, key.place() + "-*" + SUFFIX)) {
            for (Path cache : caches) {
                if (!cache.getFileName().toString().startsWith(current)) {
                    Files.deleteIfExists(cache);
                }
            }
        }
    }
}
