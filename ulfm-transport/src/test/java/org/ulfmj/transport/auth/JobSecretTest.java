package org.ulfmj.transport.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JobSecretTest {
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
