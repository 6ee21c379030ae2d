package org.ulfmj.transport.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JobSecretTest {
    private static final int ANOTHER_USER = 12_345;

    @TempDir
    Path directory;

    @Test
    void shouldBeReadBackFromAFileOnlyItsOwnerMayRead() throws IOException {
        JobSecret secret = JobSecret.random();
        Path file = directory.resolve("secret");
        secret.write(file);

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(JobSecret.read(file).bytes()).isEqualTo(secret.bytes());
    }

    @Test
    void shouldRefuseAFileThatOthersMayRead() throws IOException {
        Path file = directory.resolve("secret");
        JobSecret.random().write(file);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));

        assertThatThrownBy(() -> JobSecret.read(file))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("rw-r-----")
                .hasMessageContaining(file.toString());
    }

    @Test
    void shouldFollowNoLink() throws IOException {
        Path file = directory.resolve("secret");
        JobSecret.random().write(file);
        Path link = Files.createSymbolicLink(directory.resolve("link"), file);

        assertThatThrownBy(() -> JobSecret.read(link))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(link + " is no file but a link");
        assertThatThrownBy(() -> JobSecret.read(directory)).hasMessageContaining("is no file but a link, a directory");
    }

    @Test
    void shouldRefuseTheFileOfAnotherUser() throws IOException {
        Path file = directory.resolve("secret");
        JobSecret.random().write(file);
        assumeTrue(Files.getAttribute(file, "unix:uid").equals(0), "only root can give a file away");
        Files.setAttribute(file, "unix:uid", ANOTHER_USER);

        assertThatThrownBy(() -> JobSecret.read(file))
                .isInstanceOf(IOException.class)
                .hasMessage("job secret " + file + " belongs to another user");
    }

    @Test
    void shouldReadNoMoreThanASecretOfALongFile() throws IOException {
        Path file = directory.resolve("secret");
        JobSecret.random().write(file);
        Files.write(file, new byte[100_000]);

        assertThatThrownBy(() -> JobSecret.read(file)).hasMessageContaining("more than 32 bytes, it must have 32");
    }

    @Test
    void shouldBeReadByAThreadThatIsInterrupted() throws IOException {
        Path file = directory.resolve("secret");
        JobSecret secret = JobSecret.random();
        secret.write(file);
        Thread.currentThread().interrupt();
        JobSecret read = JobSecret.read(file);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(read.bytes()).isEqualTo(secret.bytes());
    }

    @Test
    void shouldRefuseAFileOfAnotherLength() throws IOException {
        Path file = directory.resolve("secret");
        Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));

        assertThatThrownBy(() -> JobSecret.read(file)).hasMessageContaining("0 bytes, it must have 32");
    }

    @Test
    void shouldNotOverwriteAFile() throws IOException {
        Path file = directory.resolve("secret");
        JobSecret.random().write(file);

        assertThatThrownBy(() -> JobSecret.random().write(file)).isInstanceOf(FileAlreadyExistsException.class);
    }

    @Test
    void shouldNotSayItself() {
        assertThat(JobSecret.random()).hasToString("job secret");
    }

    @Test
    void shouldDifferEachTime() {
        assertThat(RandomBytes.next(32)).hasSize(32).isNotEqualTo(RandomBytes.next(32));
        assertThat(RandomBytes.nextLong()).isNotEqualTo(RandomBytes.nextLong());
    }
}
