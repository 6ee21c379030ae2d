package examples.hosts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests that the Slurm cluster behaves as the tests with Slurm suppose. */
@Timeout(120)
class SlurmIT {
    @Test
    void shouldRunAJobOnTwoNodesAndLeaveNothing() throws IOException {
        assumeTrue(Slurm.obstacle() == null, Slurm.obstacle());
        Path directory;
        try (Slurm slurm = new Slurm()) {
            directory = slurm.directory();
            assertThat(slurm.run("srun", "-N", "2", "-n", "2", "-l", "sh", "-c", "echo $SLURMD_NODENAME")
                            .lines())
                    .containsExactlyInAnyOrder("0: n1", "1: n2");
        }
        assertThat(directory).doesNotExist();
    }
}
