package examples.hosts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests that the ssh server behaves as the tests with ssh suppose. */
@Timeout(60)
class SshdIT {
    @Test
    void shouldRunCommandsByNamesOfItsOwnAndLeaveNothing() throws IOException {
        assumeTrue(Sshd.obstacle() == null, Sshd.obstacle());
        Path directory;
        try (Sshd sshd = new Sshd("alpha", "beta")) {
            directory = sshd.directory();
            assertThat(sshd.run("alpha", "echo one; echo $SSH_CONNECTION")).startsWith("one\n127.0.0.1 ");
            assertThat(sshd.run("beta", "echo two")).isEqualTo("two\n");
        }
        assertThat(directory).doesNotExist();
    }
}
