package org.ulfmj.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Checks the error that ranks which go on without mpiexec get when they ask for a replacement: no process can be
 * started.
 */
class ReplaceWithoutLauncherIT {
    @TempDir
    Path directory;

    @Test
    void shouldSayThatNoLauncherStartsProcessesAndLetTheRestShrink() throws Exception {
        Path jobs = Files.createDirectory(directory.resolve("jobs"));
        Path go = directory.resolve("go");
        Path done = directory.resolve("done");
        String[] command = Launched.program(
                "-n 3 --max-restarts 3 --set ulfm.fd.timeout=20s --set ulfm.link.budget=1200ms --orphans continue java -Xmx64m",
                Replacing.class,
                go.toString(),
                done.toString());
        try (Launched job = Launched.start(Map.of("XDG_RUNTIME_DIR", jobs.toString()), command)) {
            for (int rank = 0; rank < 3; rank++) {
                job.awaitOutput(rank + " goes on\n");
            }
            job.signal("KILL");
            Files.createFile(go);
            assertThat(Launched.awaitLines(done, 2)).hasSize(2).allSatisfy(line -> assertThat(line)
                    .startsWith("2 ranks, replace on COMM_WORLD (3 ranks): no process took the place of rank 1 (")
                    .containsAnyOf("mpiexec is gone", "another member has been told that no process"));
        }
    }
}
