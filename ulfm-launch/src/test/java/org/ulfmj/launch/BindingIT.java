package org.ulfmj.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** {@code --bind-to core} with real processes. */
class BindingIT {
    private static final String SHOW = "echo $ULFM_RANK $(sed -n 's/^Cpus_allowed_list:.//p' /proc/self/status)";

    @Test
    void shouldConfineARankToOneCore() throws Exception {
        try (Launched job = Launched.start("-n", "1", "--bind-to", "core", "/bin/sh", "-c", SHOW)) {
            assertThat(job.exitCode()).as(job.err()).isZero();
            assertThat(job.out()).matches("0 [0-9]+\\n");
        }
    }

    @Test
    void shouldRefuseMoreRanksThanCores() throws Exception {
        int tooMany = Runtime.getRuntime().availableProcessors() + 1;
        List<String> command = List.of("-n", Integer.toString(tooMany), "--bind-to", "core", "/bin/true");
        try (Launched job = Launched.start(command.toArray(new String[0]))) {
            assertThat(job.exitCode()).isEqualTo(2);
            assertThat(job.err()).contains("--bind-to core: " + tooMany + " ranks, but mpiexec may use ");
        }
    }
}
