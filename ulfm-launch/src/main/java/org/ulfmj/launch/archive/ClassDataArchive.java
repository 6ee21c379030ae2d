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
 * The first job makes it, from its own small job ({@link Training}); if that is not possible there is none, and nothing
 * but speed is lost.
 *
 * <p>A rank that starts with it loads these classes ready-made: it starts earlier, and its first failure costs it a few
 * milliseconds of processor time where it would else cost ten times as many, at all survivors at once. The launcher
 * starts with it too. It takes the place of the platform's own archive rather than standing on it: only so may it hold
 * classes compiled for very old platforms, as those that read the command line are.
 */
public final class ClassDataArchive {
    /** Names on the launcher's command line that a user writes to have the matter in his own hands. */
    private static final List<String> OWN_CHOICES = List.of(
            "-Xshare",
            "-XX:SharedArchiveFile",
            "-XX:ArchiveClassesAtExit",
            "-XX:AOT",
            "-XX:SharedClassListFile",
            "-XX:DumpLoadedClassList");

    /**
     * Any process that chooses these may have objects of another layout, for which the virtual machine refuses the
     * archive and, having no other, starts slower than with its own.
     */
    private static final List<String> OTHER_LAYOUTS =
            List.of("-XX:+UseZGC", "-XX:-UseCompressed", "-XX:ObjectAlignmentInBytes", "-XX:+UseCompactObjectHeaders");

    private static final String SUFFIX = ".jsa";

    private static final long RETRY_MS = 24 * 60 * 60 * 1000;
    private static final int NAME_BYTES = 8;
    /** From that version on the virtual machine logs about archives by another name too. */
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
     * The command with the archive, made now if there is none yet; the command as it is where it cannot use one.
     *
     * @param launcher its main runs the job that makes the archive
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

    /** The archive knows our jar as the first of the class path, and is refused where something else stands there. */
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
     * By this name {@code bin/mpiexec}, which knows no hashes, finds the archive for the launcher: {@code mpiexec},
     * then the paths of the Java installation and of our own, with dashes for slashes.
     */
    private static Path ofLauncher(Path directory, Installation ours) {
        String javaHome = ours.java().getParent().getParent().toString();
        String home = ours.jar().resolve("../../..").normalize().toString();
        return directory.resolve("mpiexec" + javaHome.replace('/', '-') + home.replace('/', '-') + SUFFIX);
    }

    /** On a mismatch after all (an unusual virtual machine option) it shall go on without, and not talk of it. */
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
     * An empty file stands for an attempt that failed, so that not every job tries again: one per day does, for what
     * was in the way may be over, a full disk or a machine that was too busy.
     */
    private boolean isOldFailure() throws IOException {
        long ageMs =
                System.currentTimeMillis() - Files.getLastModifiedTime(file()).toMillis();
        return Files.size(file()) == 0 && ageMs > RETRY_MS;
    }

    private void make(Installation ours) throws IOException {
        // Virtual machines create the files themselves; that the name is free is known by the directory.
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
                // What went wrong has left may be cut short, on a full disk for instance.
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
            // It does what is to be done.
        }
    }

    private static void removeQuietly(Path making) {
        try {
            removeAll(making);
        } catch (IOException removedAlready) {
            // The launcher is ended by a signal, or the file is left for the next sweep.
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
