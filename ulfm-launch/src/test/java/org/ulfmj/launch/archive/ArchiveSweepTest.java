package org.ulfmj.launch.archive;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ArchiveSweepTest {
    @TempDir
    Path directory;

    @TempDir
    Path installed;

    @Test
    void shouldRemoveWhatNothingUsesAnyMore() throws IOException {
        Path java = Files.createFile(installed.resolve("java"));
        Path jar = Files.createFile(installed.resolve("ulfm.jar"));
        archive("aa-1.jsa", Duration.ZERO);
        archive("bb-1.jsa", Duration.ofDays(31));
        origin("bb", List.of(java.toString(), installed.resolve("gone.jar").toString()), Duration.ofDays(31));
        archive("cc-1.jsa", Duration.ofDays(29));
        archive("dd-1.jsa", Duration.ofDays(31));
        Files.createSymbolicLink(directory.resolve("mpiexec-aa.jsa"), Path.of("aa-1.jsa"));
        Files.createSymbolicLink(directory.resolve("mpiexec-bb.jsa"), Path.of("bb-1.jsa"));
        making("making1", Duration.ofMinutes(61));
        making("making2", Duration.ofMinutes(1));
        sweep(java, jar);
        assertThat(left()).containsExactly("aa-1.jsa", "aa.of", "cc-1.jsa", "making2", "mpiexec-aa.jsa");
    }

    /**
     * Shows that archives that were made lately are kept even if their Java is not found here: another container may
     * share the same home directory, and have its Java at another place.
     */
    @Test
    void shouldLeaveWhatWasMadeLatelyForFilesThatAreNotHere() throws IOException {
        archive("bb-1.jsa", Duration.ofDays(29));
        origin("bb", List.of("/no/such/java"), Duration.ofDays(29));
        archive("cc-1.jsa", Duration.ofDays(1));
        origin("cc", List.of("/no/such/java"), Duration.ofDays(31));
        sweep(installed, installed);
        assertThat(left()).contains("bb-1.jsa", "bb.of", "cc-1.jsa");
    }

    @Test
    void shouldSweepOnWhereAnOriginCannotBeRead() throws IOException {
        Files.write(directory.resolve("bb.of"), new byte[] {(byte) 0xff, (byte) 0xfe});
        archive("bb-1.jsa", Duration.ofDays(31));
        Files.write(directory.resolve("cc.of"), new byte[] {'/', 0, '\n'});
        archive("cc-1.jsa", Duration.ofDays(31));
        Files.createDirectory(directory.resolve("dd.of"));
        archive("dd-1.jsa", Duration.ofDays(31));
        archive("ee-1.jsa", Duration.ofDays(31));
        sweep(installed, installed);
        assertThat(left()).containsExactly("aa.of", "bb-1.jsa", "bb.of", "cc-1.jsa", "cc.of", "dd-1.jsa", "dd.of");
    }

    private void sweep(Path java, Path jar) throws IOException {
        ArchiveKey key = new ArchiveKey(java, jar, directory, "aa", "1", 17);
        new ArchiveSweep(key, directory, ".jsa").sweep();
    }

    private List<String> left() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    private void archive(String name, Duration age) throws IOException {
        date(Files.createFile(directory.resolve(name)), age);
    }

    private void origin(String place, List<String> files, Duration age) throws IOException {
        date(Files.write(directory.resolve(place + ".of"), files), age);
    }

    private void making(String name, Duration age) throws IOException {
        Path making = Files.createDirectory(directory.resolve(name));
        Files.createFile(making.resolve("rank-1.list"));
        date(making, age);
    }

    private static void date(Path file, Duration age) throws IOException {
        Files.setLastModifiedTime(file, FileTime.from(Instant.now().minus(age)));
    }
}
