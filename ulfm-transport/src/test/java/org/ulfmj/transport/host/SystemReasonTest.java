package org.ulfmj.transport.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SystemReasonTest {
    @TempDir
    Path directory;

    @Test
    void shouldSayWhyAFileCannotBeRead() throws IOException {
        Path missing = directory.resolve("missing");
        Path bytes = Files.write(directory.resolve("bytes"), new byte[] {(byte) 0xff, '\n'});

        assertThat(SystemReason.of(reading(missing))).isEqualTo(missing + ": no such file or directory");
        assertThat(SystemReason.withoutPath(reading(missing))).isEqualTo("no such file or directory");
        assertThat(SystemReason.withoutPath(reading(directory))).isEqualTo("Is a directory");
        assertThat(SystemReason.of(reading(bytes))).isEqualTo("not a text in UTF-8");
    }

    private static IOException reading(Path file) {
        return catchThrowableOfType(IOException.class, () -> Files.readAllLines(file));
    }

    @Test
    void shouldNameNoClassOfJava() {
        assertThat(SystemReason.of(new AccessDeniedException("/a"))).isEqualTo("/a: permission denied");
        assertThat(SystemReason.of(new FileSystemException("/a", null, "Read-only file system")))
                .isEqualTo("/a: Read-only file system");
        assertThat(SystemReason.of(new FileAlreadyExistsException("/a"))).isEqualTo("/a: exists already");
        assertThat(SystemReason.of(new IOException("No space left on device"))).isEqualTo("No space left on device");
    }

    @Test
    void shouldSayWhichLimitToRaise() {
        assertThat(SystemReason.of(new IOException("Cannot run program \"a\": error=24, Too many open files")))
                .isEqualTo("Cannot run program \"a\": error=24, Too many open files (ulimit -n sets how many)");
        assertThat(SystemReason.of(
                        new IOException("Cannot run program \"a\": error=11, Resource temporarily unavailable")))
                .endsWith(" (ulimit -u and the pids limit of a container set how many processes and threads may run)");
    }

    @Test
    void shouldTellALackOfThreadsFromOtherErrors() {
        assertThat(SystemReason.ofThreads(
                        new OutOfMemoryError("unable to create native thread: possibly out of memory")))
                .isEqualTo("unable to create native thread: possibly out of memory (ulimit -u and the pids limit of a"
                        + " container set how many processes and threads may run)");
        assertThat(SystemReason.ofThreads(new OutOfMemoryError("Java heap space")))
                .isNull();
        assertThat(SystemReason.ofThreads(new IllegalStateException("native thread")))
                .isNull();
    }

    @Test
    void shouldNameTheClassWhenThereIsNothingElse() {
        assertThat(SystemReason.of(new IOException())).isEqualTo("java.io.IOException");
    }
}
