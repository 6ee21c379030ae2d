package org.ulfmj.launch.archive;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import org.ulfmj.launch.program.Installation;
import org.ulfmj.launch.program.OwnOptions;

/**
 * The archive of our classes and the platform's for one Java installation and one jar, in the user's cache directory.
 * The first job makes the archive by running a small job ({@link Training}). If that is not possible there is no
 * archive, and only speed is lost.
 *
 * <p>A rank that starts with the archive finds these classes ready-made in it, and so starts earlier.
 * {@code bin/mpiexec} finds the archive for the launcher too. The archive replaces the platform's own one instead of
 * extending it: only then may it hold classes compiled for very old platforms.
 */
final class ClassDataArchive {
    /**
     * The beginnings of options that may give objects another layout. Where they do, the virtual machine would refuse
     * the archive and, having no other, would start slower than with the platform's own archive.
     */
    private static final List<String> OTHER_LAYOUTS =
            List.of("-XX:+UseZGC", "-XX:-UseCompressed", "-XX:ObjectAlignmentInBytes", "-XX:+UseCompactObjectHeaders");

    private static final String SUFFIX = ".jsa";

    private static final long MOST_SECONDS = 120;
    private static final long RETRY_MS = 24 * 60 * 60 * 1000;
    /** The first Java version whose virtual machine also logs about archives under the name {@code aot}. */
    private static final int FIRST_WITH_AOT = 24;

    private final ArchiveKey key;
    private final Class<?> launcher;

    /** @param launcher the class whose main method runs the job that makes the archive */
    ClassDataArchive(ArchiveKey key, Class<?> launcher) {
        this.key = key;
        this.launcher = launcher;
    }

    /** Whether these options may make a virtual machine refuse the archive. */
    static boolean isRefusedBy(OwnOptions options) {
        return options.isAny(OTHER_LAYOUTS);
    }

    private Path file() {
        return key.directory().resolve(key.place() + "-" + key.version() + SUFFIX);
    }

    /**
     * Returns the file under which {@code bin/mpiexec}, which computes no hashes, finds the archive for the launcher:
     * its name is {@code mpiexec}, then the paths of the Java installation and of our jar, with dashes instead of
     * slashes, then {@code .jsa}.
     */
    private static Path ofLauncher(Path directory, Installation ours) {
        String javaHome = ours.java().getParent().getParent().toString();
        String jar = ours.jar().toString();
        return directory.resolve("mpiexec" + javaHome.replace('/', '-') + jar.replace('/', '-') + SUFFIX);
    }

    /**
     * Returns the options for the virtual machine. If the archive does not fit after all, because of an unusual option,
     * the virtual machine goes on without it and prints nothing about that.
     */
    List<String> options() {
        String silent = "-Xlog:cds=off,cds+dynamic=off" + (key.feature() >= FIRST_WITH_AOT ? ",aot=off" : "");
        return List.of("-XX:SharedArchiveFile=" + file(), silent);
    }

    /**
     * Makes the archive if it does not exist, or if the last attempt failed more than a day ago. Returns whether it can
     * be used.
     */
    boolean isUsable(Installation ours) throws IOException {
        if (!Files.exists(file()) || Making.isFailure(file(), RETRY_MS)) {
            Files.createDirectories(key.directory());
            make(ours);
        }
        return Files.size(file()) > 0;
    }

    private void make(Installation ours) throws IOException {
        QuietRun commands = new QuietRun(MOST_SECONDS);
        try (Making making = Making.begin(key.directory(), commands)) {
            Recording recording = new Recording(key, launcher, commands, making.directory());
            if (!recording.make(ours, making.made())) {
                making.fail();
            }
            making.moveTo(file());
            if (key.java().equals(ours.java().toRealPath())) {
                Path link = Files.createSymbolicLink(making.directory().resolve("link"), file().getFileName());
                Files.move(link, ofLauncher(key.directory(), ours), StandardCopyOption.ATOMIC_MOVE);
            }
            removeOlder();
            new ArchiveSweep(key, key.directory(), SUFFIX).sweep();
        }
    }

    /**
     * Removes archives for the same paths that were made for another build of our jar, or for another update of the
     * Java installation.
     */
    private void removeOlder() throws IOException {
        try (DirectoryStream<Path> archives = Files.newDirectoryStream(key.directory(), key.place() + "-*" + SUFFIX)) {
            for (Path archive : archives) {
                if (!archive.equals(file())) {
                    Files.deleteIfExists(archive);
                }
            }
        }
    }
}
