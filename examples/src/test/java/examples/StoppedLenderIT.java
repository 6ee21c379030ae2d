package examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that shared memory which a rank made for its buffer, and which other ranks mapped, becomes free while these go
 * on, when that rank has stopped for good.
 */
class StoppedLenderIT {
    @TempDir
    Path directory;

    @Test
    void shouldFreeWhatAStoppedRankHadLent() {
        MpiexecRun run = MpiexecRun.inFileSystem(
                Duration.ofSeconds(180),
                directory,
                "192m",
                "-n 3 --set ulfm.fd.timeout=2s --set ulfm.shm.dir=" + directory,
                "examples.StoppedLender " + directory);

        assertThat(run.out()).as("%s", run).containsExactly("lent true, names left 0, free true");
        assertThat(run.exitCode()).as("%s", run).isZero();
        assertThat(run.err()).as("%s", run).anyMatch(line -> line.startsWith("mpiexec: rank 2 was silent for"));
        run.err().stream().filter(line -> line.startsWith("used ")).forEach(System.out::println);
    }
}
