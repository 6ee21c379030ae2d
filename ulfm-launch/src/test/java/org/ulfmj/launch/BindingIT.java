package org.ulfmj.launch;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.ulfmj.launch.Launched.Ended;

/** {@code --bind-to core} with real processes. */
class BindingIT {
    private static final String SHOW = "echo $ULFM_RANK $(sed -n 's/^Cpus_allowed_list:.//p' /proc/self/status)";

    @Test
    void shouldConfineARankToOneCore() throws Exception {
        Ended job = Launched.run("-n", "1", "--bind-to", "core", "/bin/sh", "-c", SHOW);
        assertThat(job.exitCode()).as(job.err()).isZero();
        assertThat(job.out()).matches("0 [0-9]+\\n");
    }

    @Test
    void shouldRefuseMoreRanksThanCores() throws Exception {
        int tooMany = Runtime.getRuntime().availableProcessors() + 1;
        Ended job = Launched.run("-n", "" + tooMany, "--bind-to", "core", "/bin/true");
        assertThat(job.exitCode()).isEqualTo(2);
        assertThat(job.err()).contains("--bind-to core: " + tooMany + " ranks, but mpiexec may use ");
    }
}
