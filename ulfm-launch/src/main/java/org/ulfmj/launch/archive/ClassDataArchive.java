package org.ulfmj.launch.archive;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.ulfmj.launch.command.Installation;
import org.ulfmj.launch.command.StartCommand;
import org.ulfmj.protocol.Sha256;

/**
 * The archive of our classes and the platform's for one Java installation and one jar, in the user's cache directory.
 * The first job makes the archive by a small job ({@link Training}). If that is not possible there is no archive, and
 * only speed is lost.
 *
 * <p>A rank that starts with the archive loads these classes ready-made. It starts earlier. The first failure costs
 * each survivor a few milliseconds of processor time, and without the archive ten times as many. The launcher starts
 * with the archive too. The archive replaces the platform's own one instead of extending it: only then may it hold
 * classes compiled for very old platforms, as the classes that read the command line are.
 */
public final class ClassDataArchive {
    /** Options with which a user has chosen an archive himself. */
    private static final List<String> OWN_CHOICES = List.of(
            "-Xshare",
            "-XX:SharedArchiveFile",
            "-XX:ArchiveClassesAtExit",
            "-XX:AOT",
            "-XX:SharedClassListFile",
            "-XX:DumpLoadedClassList");

    /**
     * Options that may give objects another layout. The virtual machine then refuses the archive and, having no other,
     * starts slower than with the platform's own.
     */
    private static final List<String> OTHER_LAYOUTS =
            List.of("-XX:+UseZGC", "-XX:-UseCompressed", "-XX:ObjectAlignmentInBytes", "-XX:+UseCompactObjectHeaders");

    private static final String SUFFIX = ".jsa";

    private static final long RETRY_MS = 24 * 60 * 60 * 1000;
    private static final int NAME_BYTES = 8;
    /** The first version whose virtual machine also logs about archives under the name {@code aot}. */
    private static final int FIRST_WITH_AOT = 24;

    private final Path java;
    private final Path jar;
    private final Path directory;
    private final Class<?> launcher;
    private final String place;
    private final String version;
    private final int feature;

    private ClassDataArchive(Path java, Path jar, Path directory, Class<?> launcher) throws IOException {
        this.java = java;
        this.jar = jar;
        this.directory = directory;
        this.launcher = launcher;
        String release = Files.readString(java.resolveSibling("../release").normalize());
        this.place = digest(java + "\n" + jar);
        this.version = digest(release + Files.size(jar) + "\n" + Files.getLastModifiedTime(jar));
        this.feature = featureOf(release);
    }

    /**
     * Returns the command with the archive, which is made now if it does not exist. The unchanged command where it
     * cannot use one.
     *
     * @param launcher the class whose main method runs the job that makes the archive
     * @param environment of the launcher
     */
    public static StartCommand addTo(
            StartCommand command, Installation ours, Class<?> launcher, Map<String, String> environment) {
        if (!command.isJava()
                || !isOursFirst(command.words(), ours.jar())
                || isAnyNamed(OWN_CHOICES, command.words(), environment)
                || isAnyNamed(OTHER_LAYOUTS, command.words(), environment)) {
            return command;
        }
        try {
            Path java = Path.of(command.words().get(0)).toRealPath();
            Path directory = directory(environment);
            if (directory == null) {
                return command;
            }
            ClassDataArchive archive = new ClassDataArchive(java, ours.jar(), directory, launcher);
            return archive.isUsable(ours) ? command.withJavaOptions(archive.options()) : command;
        } catch (IOException nothingButSpeedIsLost) {
            return command;
        }
    }

    /** Whether our jar is the first of the class path. The virtual machine refuses the archive otherwise. */
    private static boolean isOursFirst(List<String> words, Path jar) {
        int classPath = words.indexOf("-cp");
        return classPath > 0
                && classPath + 1 < words.size()
                && words.get(classPath + 1).startsWith(jar + ":");
    }

    private static boolean isAnyNamed(List<String> options, List<String> words, Map<String, String> environment) {
        String variables = environment.getOrDefault("JAVA_TOOL_OPTIONS", "")
                + environment.getOrDefault("JDK_JAVA_OPTIONS", "")
                + environment.getOrDefault("_JAVA_OPTIONS", "");
        for (String option : options) {
            if (variables.contains(option)) {
                return true;
            }
            for (String word : words) {
                if (word.startsWith(option)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static Path directory(Map<String, String> environment) {
        String cache = environment.getOrDefault("XDG_CACHE_HOME", "");
        if (!cache.isEmpty()) {
            return Path.of(cache, "ulfm");
        }
        String home = environment.getOrDefault("HOME", "");
        return home.isEmpty() ? null : Path.of(home, ".cache", "ulfm");
    }

    private Path file() {
        return directory.resolve(place + "-" + version + SUFFIX);
    }

    /**
     * Returns the name by which {@code bin/mpiexec}, which computes no hashes, finds the archive for the launcher:
     * {@code mpiexec}, then the paths of the Java installation and of our own, with dashes for slashes.
     */
    private static Path ofLauncher(Path directory, Installation ours) {
        String javaHome = ours.java().getParent().getParent().toString();
        String home = ours.jar().resolve("../../..").normalize().toString();
        return directory.resolve("mpiexec" + javaHome.replace('/', '-') + home.replace('/', '-') + SUFFIX);
    }

    /**
     * Returns the options for the virtual machine. If the archive does not fit after all, because of an unusual option,
     * the virtual machine goes on without it and prints nothing about it.
     */
    private List<String> options() {
        String silent = "-Xlog:cds=off,cds+dynamic=off" + (feature >= FIRST_WITH_AOT ? ",aot=off" : "");
        return List.of("-XX:SharedArchiveFile=" + file(), silent);
    }

    private boolean isUsable(Installation ours) throws IOException {
        if (!Files.exists(file()) || isOldFailure()) {
            Files.createDirectories(directory);
            make(ours);
        }
        return Files.size(file()) > 0;
    }

    /**
     * Whether the archive is the empty file of an attempt that failed a day ago or earlier. The empty file keeps other
     * jobs from trying again; one job per day tries, as the cause may be over: a full disk, or a machine that was too
     * busy.
     */
    private boolean isOldFailure() throws IOException {
        long ageMs =
                System.currentTimeMillis() - Files.getLastModifiedTime(file()).toMillis();
        return Files.size(file()) == 0 && ageMs > RETRY_MS;
    }

    private void make(Installation ours) throws IOException {
        // Virtual machines create the files of a recording themselves; in a new directory the names are free.
        Path making = Files.createTempDirectory(directory, ArchiveSweep.MAKING);
        Path made = making.resolve("made");
        Recording recording = new Recording(java, jar, launcher, making);
        Thread onSignal = new Thread(() -> {
            recording.stop();
            removeQuietly(making);
        });
        Runtime.getRuntime().addShutdownHook(onSignal);
        try {
            if (!recording.make(ours, made)) {
                // The file that a failed attempt has left may be cut short, on a full disk for instance.
                Files.deleteIfExists(made);
                Files.createFile(made);
            }
            Files.move(made, file(), StandardCopyOption.ATOMIC_MOVE);
            if (java.equals(ours.java().toRealPath())) {
                Path link = Files.createSymbolicLink(making.resolve("link"), file().getFileName());
                Files.move(link, ofLauncher(directory, ours), StandardCopyOption.ATOMIC_MOVE);
            }
            removeOlder();
            new ArchiveSweep(directory, place, java, jar).sweep();
        } finally {
            removeQuietly(making);
            forget(onSignal);
        }
    }

    private static void forget(Thread onSignal) {
        try {
            Runtime.getRuntime().removeShutdownHook(onSignal);
        } catch (IllegalStateException hasBegun) {
            // The shutdown has begun, and the hook removes the directory.
        }
    }

    private static void removeQuietly(Path making) {
        try {
            removeAll(making);
        } catch (IOException removedAlready) {
            // A signal ends the launcher, and the hook has removed the files; or the file is left for the next sweep.
        }
    }

    static void removeAll(Path making) throws IOException {
        try (DirectoryStream<Path> left = Files.newDirectoryStream(making)) {
            for (Path file : left) {
                Files.deleteIfExists(file);
            }
        }
        Files.delete(making);
    }

    /**
     * Removes archives of the same place that an earlier build of our jar, or an earlier update of the Java
     * installation, left.
     */
    private void removeOlder() throws IOException {
        try (DirectoryStream<Path> archives = Files.newDirectoryStream(directory, place + "-*" + SUFFIX)) {
            for (Path archive : archives) {
                if (!archive.equals(file())) {
                    Files.deleteIfExists(archive);
                }
            }
        }
    }

    private static int featureOf(String release) {
        int begin = release.indexOf("JAVA_VERSION=\"") + "JAVA_VERSION=\"".length();
        int end = begin;
        while (end < release.length() && Character.isDigit(release.charAt(end))) {
            end++;
        }
        return end == begin ? 0 : Integer.parseInt(release, begin, end, 10);
    }

    private static String digest(String text) {
        byte[] hash = Sha256.of(text.getBytes(StandardCharsets.UTF_8));
        return HexFormat.of().formatHex(hash, 0, NAME_BYTES);
    }
}
