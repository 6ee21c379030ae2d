package examples.hosts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import examples.RunningCommand;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Jobs whose agents are started by ssh. */
@Timeout(120)
class SshJobIT {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    @Test
    void shouldRunOnHostsBehindSshAndSayWhichIsNotThere() throws IOException {
        assumeTrue(Sshd.obstacle() == null, Sshd.obstacle());
        try (Sshd sshd = new Sshd("alpha", "beta")) {
            try (RunningCommand job = start(
                    sshd,
                    "--host",
                    "localhost,alpha:2,beta",
                    "--inject",
                    "kill:rank=2@iter=40",
                    "examples",
                    "Digits")) {
                assertThat(job.exitCode(LIMIT)).as(job.text()).isZero();
                assertThat(job.text()).contains("from the death of rank 2", " on 3 ranks");
            }
            try (RunningCommand job = start(sshd, "--host", "alpha,nowhere.invalid", "examples", "Hello")) {
                assertThat(job.exitCode(LIMIT)).as(job.text()).isEqualTo(125);
                assertThat(job.text()).contains("nowhere.invalid").contains("resolve");
            }
        }
    }

    private static RunningCommand start(Sshd sshd, String... words) throws IOException {
        String mpiexec = Path.of("..", "bin", "mpiexec").toRealPath().toString();
        List<String> command = List.of(mpiexec, "--ssh-args", sshd.arguments());
        return RunningCommand.start(
                Map.of("JAVA_HOME", System.getProperty("java.home")), RunningCommand.joined(command, words));
    }
}
