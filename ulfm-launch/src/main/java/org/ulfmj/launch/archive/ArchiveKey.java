package org.ulfmj.launch.archive;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.ulfmj.protocol.Sha256;

/**
 * The Java installation and the jar that an archive is made for. An update of either gives another version. The
 * archives of other versions are removed once an archive of this version is made.
 *
 * @param java the {@code java} executable of the ranks
 * @param jar the jar with the classes of launcher and ranks
 * @param directory the user's directory of archives
 * @param place a short text derived from the paths of both, with which the name of each archive begins
 * @param version a short text derived from the installation's {@code release} file and the jar's size and time
 * @param feature the number of the Java version; 0 if the installation does not tell it
 */
record ArchiveKey(Path java, Path jar, Path directory, String place, String version, int feature) {
    private static final String VERSION = "JAVA_VERSION=\"";
    private static final int NAME_BYTES = 8;

    /**
     * @param environment the environment variables, which tell where the user's cache directory is
     * @return null if the variables name no such directory
     * @throws IOException if the Java installation or the jar cannot be read
     */
    static ArchiveKey of(Path java, Path jar, Map<String, String> environment) throws IOException {
        Path directory = directory(environment);
        if (directory == null) {
            return null;
        }
        Path real = java.toRealPath();
        String release = Files.readString(real.resolveSibling("../release").normalize());
        return new ArchiveKey(
                real,
                jar,
                directory,
                digest(real + "\n" + jar),
                digest(release + Files.size(jar) + "\n" + Files.getLastModifiedTime(jar)),
                featureOf(release));
    }

    /**
     * Whether our jar is the first of several entries of a command's class path. If another entry is the first, a
     * virtual machine refuses an archive that was made with our jar as its class path.
     */
    boolean isFirstIn(List<String> words) {
        int classPath = words.indexOf("-cp");
        return classPath > 0
                && classPath + 1 < words.size()
                && words.get(classPath + 1).startsWith(jar + ":");
    }

    /** Returns the user's directory of archives, which need not exist; null if the variables name none. */
    static Path directory(Map<String, String> environment) {
        String cache = environment.getOrDefault("XDG_CACHE_HOME", "");
        if (!cache.isEmpty()) {
            return Path.of(cache, "ulfm").toAbsolutePath();
        }
        String home = environment.getOrDefault("HOME", "");
        return home.isEmpty() ? null : Path.of(home, ".cache", "ulfm").toAbsolutePath();
    }

    private static int featureOf(String release) {
        int entry = release.indexOf(VERSION);
        if (entry < 0) {
            return 0;
        }
        int begin = entry + VERSION.length();
        int end = begin;
        while (end < release.length() && Character.isDigit(release.charAt(end))) {
            end++;
        }
        return end == begin ? 0 : Integer.parseInt(release, begin, end, 10);
    }

    /** Returns a short text that stands for a long one in the name of a file (a hash). */
    static String digest(String text) {
        byte[] hash = Sha256.of(text.getBytes(StandardCharsets.UTF_8));
        return HexFormat.of().formatHex(hash, 0, NAME_BYTES);
    }
}
