package org.ulfmj.dist;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The tar.gz that this build has made. */
final class Release {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private Release() {}

    /** The name of the directory inside the tar.gz, and of the file without its extension. */
    static String name() throws IOException {
        return "ulfm-" + Pom.of("").text("version");
    }

    static Path file() throws IOException {
        return Path.of("target", name() + ".tar.gz").toAbsolutePath();
    }

    /** Unpacks the tar.gz into a directory, and returns the directory in it that has all files. */
    static Path unpackInto(Path directory) throws IOException, InterruptedException {
        tar(directory, "-xzf", file().toString());
        return directory.resolve(name());
    }

    /** Lists the entries of the tar.gz with their modes, owners and times, in the time zone UTC. */
    static List<String> entries() throws IOException, InterruptedException {
        return tar(Path.of("."), "-tvzf", file().toString());
    }

    private static List<String> tar(Path directory, String option, String file)
            throws IOException, InterruptedException {
        Ran ran = Ran.in(directory, LIMIT, Map.of("TZ", "UTC", "LC_ALL", "C"), List.of("tar", option, file));
        if (ran.exitCode() != 0) {
            throw new AssertionError(ran.toString());
        }
        return ran.lines();
    }

    /** The home of a JDK or JRE of this version that is installed in {@code /usr/lib/jvm}; null if there is none. */
    static Path jdk(int version) throws IOException {
        Path installed = Path.of("/usr/lib/jvm");
        if (!Files.isDirectory(installed)) {
            return null;
        }
        try (var homes = Files.newDirectoryStream(installed)) {
            for (Path home : homes) {
                Path release = home.resolve("release");
                if (Files.isExecutable(home.resolve("bin/java"))
                        && Files.isRegularFile(release)
                        && Files.readString(release).contains("JAVA_VERSION=\"" + version)) {
                    return home;
                }
            }
        }
        return null;
    }
}
