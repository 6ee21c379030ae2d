package org.ulfmj.dist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the tar.gz of the release, unpacked in a directory without any other files. */
class ReleaseIT {
    private static final Duration LIMIT = Duration.ofSeconds(120);
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s#:]+)[^):]*\\)");

    private static final Map<String, String> WITHOUT_ARCHIVE = Map.of("ULFM_CLASS_ARCHIVE", "off");

    @TempDir
    Path directory;

    @Test
    void shouldRunFromAnEmptyDirectory() throws Exception {
        runDigits(Release.unpackInto(directory), ownJava(), WITHOUT_ARCHIVE);
    }

    @Test
    @Tag("long")
    void shouldRunOnJava25() throws Exception {
        Path java = Release.jdk(25);
        assumeTrue(java != null, "no JDK 25 under /usr/lib/jvm");
        runDigits(Release.unpackInto(directory), java, WITHOUT_ARCHIVE);
    }

    @Test
    @Tag("release")
    void shouldMakeItsArchiveWhereTheScriptLooksForIt() throws Exception {
        Path home = Release.unpackInto(directory);
        Path caches = directory.resolve("caches");
        runDigits(home, ownJava(), Map.of("XDG_CACHE_HOME", caches.toString()));
        String archive = ("mpiexec" + ownJava() + home.resolve("lib/ulfm.jar")).replace('/', '-') + ".jsa";
        assertThat(caches.resolve("ulfm").resolve(archive)).exists();
    }

    private static Path ownJava() {
        return Path.of(System.getProperty("java.home"));
    }

    private void runDigits(Path home, Path java, Map<String, String> more) throws Exception {
        Path empty = Files.createDirectory(directory.resolve("empty"));
        Map<String, String> environment = new TreeMap<>(more);
        environment.put("JAVA_HOME", java.toString());
        Ran ran = Ran.in(
                empty,
                LIMIT,
                environment,
                List.of("../" + home.getFileName() + "/bin/mpiexec", "-n", "4", "examples", "Digits"));
        assertThat(ran.exitCode()).as(ran.toString()).isZero();
        assertThat(ran.lines())
                .hasSize(3)
                .last()
                .asString()
                .startsWith("finished   300 iterations on 4 ranks, test accuracy 95.3 %");
        assertThat(empty).isEmptyDirectory();
    }

    /**
     * All entries have the same owner and time, which tell neither the builder nor when it was built. OutsideProjectIT
     * builds the tar.gz a second time and compares.
     */
    @Test
    void shouldGiveEntriesFixedModesOwnersAndTimes() throws Exception {
        String time = Pom.of("")
                .text("properties/project.build.outputTimestamp")
                .replace('T', ' ')
                .substring(0, 16);
        assertThat(Release.entries()).hasSizeGreaterThan(100).allSatisfy(entry -> {
            assertThat(entry)
                    .matches("(drwxr-xr-x|-rw[-x]r-[-x]r-[-x]|lrwxr-xr-x) root/root .*")
                    .contains(" " + time + " ");
            assertThat(entry.startsWith("-rwx"))
                    .isEqualTo(entry.matches(".*/(bin/(mpiexec|mpijavac)|kubernetes/(host|before-stop))"));
        });
    }

    @Test
    void shouldHoldWhatItsPagesLinkTo() throws Exception {
        Path home = Release.unpackInto(directory);
        for (String name : List.of("LICENSE", "NOTICE", "lib/ulfm.jar", "lib/examples.jar", "docs/README.md")) {
            assertThat(home.resolve(name)).isRegularFile();
        }
        assertThat(home.resolve("bin/mpirun")).isSymbolicLink();
        List<String> broken = new ArrayList<>();
        for (String page : List.of(
                "README.md",
                "docs/README.md",
                "docs/use/install.md",
                "docs/use/kubernetes.md",
                "docs/use/upgrading.md")) {
            broken.addAll(brokenLinks(home.resolve(page)));
        }
        assertThat(broken).isEmpty();
    }

    private static List<String> brokenLinks(Path page) throws IOException {
        List<String> broken = new ArrayList<>();
        Matcher matcher = LINK.matcher(Files.readString(page));
        while (matcher.find()) {
            if (!Files.exists(page.resolveSibling(matcher.group(1)))) {
                broken.add(page.getFileName() + ": " + matcher.group(1));
            }
        }
        return broken;
    }
}
