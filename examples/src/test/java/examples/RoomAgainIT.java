package examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that messages that went by TCP because there was no room for shared memory go through shared memory again when
 * there is room.
 */
class RoomAgainIT {
    @TempDir
    Path directory;

    @Test
    void shouldComeBackFromTcpWhenThereIsRoom() {
        MpiexecRun run = MpiexecRun.inFileSystem(
                Duration.ofSeconds(180),
                directory,
                "4m",
                "-n 2 --set ulfm.shm.dir=" + directory,
                "examples.RoomAgain " + directory);

        assertThat(run.exitCode()).as(run.toString()).isZero();
        assertThat(run.out())
                .as("%s", run)
                .containsExactlyInAnyOrder(
                        "rank 0: by TCP true, then by shared memory true",
                        "rank 1: by TCP true, then by shared memory true");
        assertThat(run.err())
                .as("%s", run)
                .filteredOn(line -> line.contains("uses TCP to rank"))
                .isNotEmpty();
    }
}
