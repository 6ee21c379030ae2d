package org.ulfmj.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
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
    void shouldConfineRanksToTheProcessorsOfAListAndToASocket() throws Exception {
        Ended job = Launched.run("-n", "1", "--bind-to", "cpu-list:0", "/bin/sh", "-c", SHOW);
        assertThat(job.out()).as(job.err()).isEqualTo("0 0\n");
        assertThat(Launched.run("-n", "3", "--bind-to", "socket", "/bin/true").exitCode())
                .isZero();
    }

    @Test
    void shouldShowWhatItWouldStartAndStartNothing(@TempDir Path directory) throws Exception {
        Ended job = Launched.run(
                "-n", "1", "--do-not-launch", "--bind-to", "cpu-list:0", "/bin/true", ":", "-n", "1", "/bin/true");
        assertThat(job.exitCode()).isEqualTo(2);
        assertThat(job.err())
                .isEqualTo("mpiexec: --bind-to cpu-list:0: 2 ranks, but the list has 1 entry; start at most 1\n");
        job = Launched.run(
                "-n",
                "1",
                "--do-not-launch",
                "--wdir",
                directory.toString(),
                "--unset-env",
                "X",
                "-x",
                "A=b c",
                "/bin/sh",
                "-c",
                "touch ran",
                ":",
                "-n",
                "1",
                "--wdir",
                "/",
                "/bin/true");
        assertThat(job.exitCode()).isZero();
        assertThat(job.out().lines().map(line -> line.replaceAll("CLASSPATH=\\S+", "CLASSPATH=...")))
                .containsExactly(
                        "rank 0: any processor, in " + directory
                                + ": A='b c' CLASSPATH=... -u X /bin/sh -c 'touch ran'",
                        "rank 1: any processor, in /: CLASSPATH=... /bin/true");
        assertThat(directory.resolve("ran")).doesNotExist();
    }

    @Test
    void shouldRefuseMoreRanksThanCores() throws Exception {
        int tooMany = Runtime.getRuntime().availableProcessors() + 1;
        Ended job = Launched.run("-n", "" + tooMany, "--bind-to", "core", "/bin/true");
        assertThat(job.exitCode()).isEqualTo(2);
        assertThat(job.err()).contains("--bind-to core: " + tooMany + " ranks, but mpiexec may use ");
    }
}
