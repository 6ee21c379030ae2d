package org.ulfmj.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.ulfmj.launch.Launched.Ended;

/**
 * Checks when processes load our classes from an archive, which the first job makes in the user's cache directory, and
 * when from the jar.
 */
class ClassDataArchiveIT {
    private static final String ARCHIVED = "org.ulfmj.rendezvous.client.RendezvousClient source: shared objects file";
    private static final String FROM_JAR = "org.ulfmj.rendezvous.client.RendezvousClient source: file:";

    @TempDir
    Path cache;

    @Test
    @Tag("long")
    void shouldLoadOurClassesFromTheArchiveWhenAJobHasMadeIt() throws Exception {
        assertThat(loading("-Xlog:class+load")).contains(ARCHIVED);
        List<Path> files = files();
        // The three files are the archive, the link to it that the launcher uses, and a small file that names its jar
        // and its Java installation.
        assertThat(files).hasSize(3).allSatisfy(file -> assertThat(file).isNotEmptyFile());
        assertThat(loading("-Xlog:class+load")).contains(ARCHIVED);
        assertThat(files()).as("made once").isEqualTo(files);
    }

    @Test
    void shouldLeaveItToTheUserWhenHeChoosesArchivesHimself() throws Exception {
        assertThat(loading("-Xshare:off", "-Xlog:class+load")).contains(FROM_JAR);
        assertThat(cache).isEmptyDirectory();
    }

    @Test
    void shouldRunWithoutArchiveWhenToldTo() throws Exception {
        assertThat(run(Map.of("XDG_CACHE_HOME", cache.toString(), "ULFM_CLASS_ARCHIVE", "off"), "-Xlog:class+load"))
                .contains(FROM_JAR);
        assertThat(cache).isEmptyDirectory();
    }

    @Test
    void shouldRunWithoutArchiveWhenTheCacheCannotBeWritten() throws Exception {
        Path file = Files.createFile(cache.resolve("file"));
        assertThat(run(Map.of("XDG_CACHE_HOME", file.toString()), "-Xlog:class+load"))
                .contains(FROM_JAR);
    }

    @Test
    @Tag("release")
    void shouldTryAgainOnlyOnTheNextDayWhenAnAttemptHasFailed() throws Exception {
        loading("-Xlog:class+load");
        Path archive = files().stream()
                .filter(file -> !Files.isSymbolicLink(file) && file.toString().endsWith(".jsa"))
                .findFirst()
                .orElseThrow();
        Files.delete(archive);
        Files.createFile(archive);
        assertThat(loading("-Xlog:class+load")).contains(FROM_JAR);
        assertThat(archive).isEmptyFile();
        Files.setLastModifiedTime(archive, FileTime.from(Instant.now().minus(Duration.ofHours(25))));
        assertThat(loading("-Xlog:class+load")).contains(ARCHIVED);
        assertThat(archive).isNotEmptyFile();
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> found = Files.list(cache.resolve("ulfm"))) {
            return found.sorted().toList();
        }
    }

    private String loading(String... options) throws Exception {
        return run(Map.of("XDG_CACHE_HOME", cache.toString()), options);
    }

    /**
     * Runs a job of one process that joins and leaves, with these options of its virtual machine. Returns its stdout;
     * fails unless it exits with 0 and stderr is empty.
     */
    private String run(Map<String, String> environment, String... options) throws Exception {
        String classes = Path.of("target", "test-classes").toAbsolutePath().toString();
        String line = "-n 1 java " + String.join(" ", options) + " -cp " + classes + " " + Member.class.getName();
        Ended job = Launched.start(environment, Launched.words(line, "0=join,goodbye"))
                .ended();
        assertThat(job.exitCode()).as(job.err()).isZero();
        assertThat(job.err()).isEmpty();
        return job.out();
    }
}
