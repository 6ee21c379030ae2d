package org.ulfmj.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import org.junit.jupiter.api.Test;
import org.ulfmj.launch.Launched.Ended;

/** Cores of real processes. */
class BindingIT {
    private static final String SHOW = "echo $ULFM_RANK $(sed -n 's/^Cpus_allowed_list:.//p' /proc/self/status)";

    @Test
    void shouldConfineARankToOneCore() throws Exception {
        Ended job = Launched.run("-n", "1", "--bind-to", "core", "/bin/sh", "-c", SHOW);
        assertThat(job.exitCode()).as(job.err()).isZero();
        assertThat(job.out()).matches("0 [0-9]+\\n");
    }

    @Test
    void shouldGiveEachRankACoreForItsFirstSecondsWhereThereAreNoMoreCoresThanRanks() throws Exception {
        int cores = Runtime.getRuntime().availableProcessors();
        assumeThat(cores).isGreaterThan(1);
        Ended job = Launched.run(Launched.program("-n " + cores + " java", Cores.class));
        assertThat(job.exitCode()).as(job.err()).isZero();
        assertThat(job.out().lines()).hasSize(cores).allMatch(line -> line.equals("one core, then as many as counted"));
    }

    @Test
    void shouldBindNoRankWhereTheUserSaysSo() throws Exception {
        int cores = Runtime.getRuntime().availableProcessors();
        assumeThat(cores).isGreaterThan(1);
        Ended job = Launched.run(Launched.program("-n " + cores + " --bind-to none java", Cores.class));
        assertThat(job.out().lines()).allMatch(line -> line.equals("as many cores as counted"));
    }

    @Test
    void shouldRefuseMoreRanksThanCores() throws Exception {
        int tooMany = Runtime.getRuntime().availableProcessors() + 1;
        Ended job = Launched.run("-n", "" + tooMany, "--bind-to", "core", "/bin/true");
        assertThat(job.exitCode()).isEqualTo(2);
        assertThat(job.err()).contains("--bind-to core: " + tooMany + " ranks, but mpiexec may use ");
    }
}
