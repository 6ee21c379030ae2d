package org.ulfmj.rabit;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SpillTest {
    @TempDir
    private Path directory;

    @Test
    void shouldKeepTheLastTwoVersions() {
        Spill spill = new Spill(directory, 3, true);
        for (int version = 1; version <= 4; version++) {
            spill.write(version, ByteBuffer.wrap(new byte[] {(byte) version}));
        }

        assertThat(spill.versions()).containsExactly(3, 4);
        assertThat(new Spill(directory, 3, false).versions()).containsExactly(3, 4);
    }

    @Test
    void shouldNotCountOnAFileThatIsNotWhatWasWritten() {
        Spill spill = new Spill(directory, 0, true);
        spill.write(1, ByteBuffer.wrap(new byte[] {1}));

        assertThat(spill.whole(1)).isNull();
        assertThat(spill.versions()).isEmpty();
    }

    @Test
    void shouldForgetAnotherJobsFilesAndKeepItsOwnProcesss() throws Exception {
        new Spill(directory, 1, true).write(7, ByteBuffer.wrap(new byte[1]));
        new Spill(directory, 2, true).write(7, ByteBuffer.wrap(new byte[1]));
        Files.createFile(directory.resolve("unrelated"));

        assertThat(new Spill(directory, 1, false).versions()).containsExactly(7);
        assertThat(new Spill(directory, 1, true).versions()).isEmpty();
        assertThat(new Spill(directory, 2, false).versions()).containsExactly(7);
    }

    @Test
    void shouldWriteInAnInterruptedThread() throws Exception {
        Spill spill = new Spill(directory, 3, true);

        Thread.currentThread().interrupt();
        spill.write(1, ByteBuffer.wrap(new byte[] {5}));

        assertThat(Thread.interrupted()).isTrue();
        assertThat(spill.versions()).containsExactly(1);
        assertThat(Files.readAllBytes(directory.resolve("rank-3.version-1.rabit")))
                .containsExactly(5);
    }
}
