package org.ulfmj.launch.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OwnerOnlyTest {
    private static final int ANOTHER_USER = 12_345;

    @TempDir
    Path base;

    private Path directory;
    private Path file;

    @BeforeEach
    void create() throws IOException {
        directory = base.resolve("above").resolve("directory");
        OwnerOnly.createDirectory(directory);
        file = Files.createFile(directory.resolve("file"));
        OwnerOnly.close(file);
    }

    @Test
    void shouldTrustWhatBelongsToThisUserAlone() throws IOException {
        assertThat(OwnerOnly.isDirectory(directory)).isTrue();
        assertThat(OwnerOnly.isFile(file)).isTrue();
        assertThat(OwnerOnly.isFile(directory)).isFalse();
        assertThat(OwnerOnly.isDirectory(file)).isFalse();
        assertThat(OwnerOnly.isFile(base.resolve("missing"))).isFalse();
    }

    @Test
    void shouldNotTrustWhatOtherUsersMayReadOrWrite() throws IOException {
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw----r--"));
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx-w----"));
        assertThat(OwnerOnly.isFile(file)).isFalse();
        assertThat(OwnerOnly.isDirectory(directory)).isFalse();
        OwnerOnly.createDirectory(directory);
        assertThat(OwnerOnly.isDirectory(directory)).as("left as it is").isFalse();
    }

    @Test
    void shouldNotTrustLinks() throws IOException {
        assertThat(OwnerOnly.isFile(Files.createSymbolicLink(base.resolve("a"), file)))
                .isFalse();
        assertThat(OwnerOnly.isDirectory(Files.createSymbolicLink(base.resolve("b"), directory)))
                .isFalse();
    }

    @Test
    void shouldNotTrustWhatAnotherUserOwns() throws IOException {
        assumeTrue(System.getProperty("user.name").equals("root"), "only root can give files away");
        Files.setAttribute(file, "unix:uid", ANOTHER_USER, LinkOption.NOFOLLOW_LINKS);
        Files.setAttribute(directory, "unix:uid", ANOTHER_USER, LinkOption.NOFOLLOW_LINKS);
        assertThat(OwnerOnly.isFile(file)).isFalse();
        assertThat(OwnerOnly.isDirectory(directory)).isFalse();
    }
}
