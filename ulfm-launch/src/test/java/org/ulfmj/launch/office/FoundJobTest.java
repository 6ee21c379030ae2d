package org.ulfmj.launch.office;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.ulfmj.command.UsageException;
import org.ulfmj.launch.host.JobDirectory;
import org.ulfmj.launch.host.JobReport;
import org.ulfmj.rendezvous.RunSpec;
import org.ulfmj.rendezvous.SilentListener;
import org.ulfmj.rendezvous.etcd.EtcdServer;
import org.ulfmj.rendezvous.rounds.WorldSize;
import org.ulfmj.transport.auth.JobSecret;
import org.ulfmj.transport.host.HostProcess;
import org.ulfmj.transport.record.Protection;

/** Tests how another launcher finds a job in a real etcd. */
class FoundJobTest {
    private static final long SECOND = 1_000_000_000;

    @TempDir
    Path directory;

    private final JobSecret secret = JobSecret.random();
    private EtcdServer etcd;
    private LauncherOffice job;

    @BeforeEach
    void beginAJob() throws Exception {
        Assumptions.assumeTrue(
                EtcdServer.binary() != null,
                "no etcd here (Debian: apt-get install etcd-server, or name it in " + EtcdServer.BINARY + ")");
        etcd = EtcdServer.start();
        RunSpec run = new RunSpec("run", new WorldSize(2, 4, SECOND), 0, 60 * SECOND, 30 * SECOND);
        job = LauncherOffice.open(
                url(), run, secret, "127.0.0.1", Protection.AUTO, new SilentListener() {}, line -> {});
        secret.write(JobDirectory.at(directory).secret());
    }

    @AfterEach
    void stopEtcd() {
        if (job != null) {
            job.close();
        }
        if (etcd != null) {
            etcd.close();
        }
    }

    private String url() {
        return "etcd://" + etcd.endpoint() + "/job-1?lease=2";
    }

    private void tell(String run, HostProcess launcher) {
        tell(new JobReport(run, "127.0.0.1:1", 7, 2, 4, directory, launcher, null).place());
    }

    private void tell(String place) {
        job.tellPlace(place.getBytes(StandardCharsets.UTF_8));
    }

    private FoundJob find() {
        return FoundJob.find("--join", url());
    }

    private void shouldRefuse(int code, String text) {
        assertThatThrownBy(this::find)
                .isInstanceOf(UsageException.class)
                .hasMessageStartingWith("--join " + url() + ": ")
                .hasMessageContaining(text)
                .matches(refused -> ((UsageException) refused).exitCode() == code);
    }

    @Test
    void shouldFindAJobAndItsCoordinator() {
        assertThat(FoundJob.isThere("--rdzv", url())).isFalse();
        tell("run", HostProcess.self());
        assertThat(FoundJob.isThere("--rdzv", url())).isTrue();
        FoundJob found = find();
        assertThat(found.report().secret().bytes()).isEqualTo(secret.bytes());
        assertThat(found.report().address()).isEqualTo(job.server().address());
        assertThat(found.report().max()).isEqualTo(4);
        assertThat(found.members()).isZero();
    }

    @Test
    void shouldRefuseAJobThatSaysNowhereHowItIsJoined() {
        shouldRefuse(2, "job job-1 has a coordinator at " + job.server().address() + ", and says nowhere how");
    }

    @Test
    void shouldRefuseAJobOfAnotherHost() {
        tell("run", new HostProcess(1, 1, 1, "another boot"));
        shouldRefuse(2, "job job-1 runs on another host or in another container; processes join on the host of");
    }

    @Test
    void shouldRefuseWhatMpiexecHasNotWritten() {
        tell("nonsense");
        shouldRefuse(2, "what etcd has of job job-1 was not written by mpiexec (no 'members' in it)");
    }

    @Test
    void shouldRefuseAnotherRunAndAnotherSecret() throws Exception {
        tell("other", HostProcess.self());
        shouldRefuse(2, "etcd has the state of another run of job job-1 than it says");
        Files.delete(JobDirectory.at(directory).secret());
        shouldRefuse(125, "the secret of job job-1 cannot be read (java.nio.file.NoSuchFileException: ");
        JobSecret.random().write(JobDirectory.at(directory).secret());
        shouldRefuse(2, "was not sealed with this job's secret, or was changed since");
    }

    @Test
    void shouldNameTheOptionWhoseUrlHasASecretThatCannotBeRead() {
        String url = url() + "&secret_file=" + directory.resolve("none");
        String text = " " + url + ": secret_file=" + directory.resolve("none") + ": there is no such file";
        assertThatThrownBy(() -> FoundJob.find("--join", url))
                .isInstanceOf(UsageException.class)
                .hasMessage("--join" + text);
        assertThatThrownBy(() -> FoundJob.isThere("--rdzv", url))
                .isInstanceOf(UsageException.class)
                .hasMessage("--rdzv" + text);
    }

    @Test
    void shouldSayThatAJobIsOver() {
        tell("run", HostProcess.self());
        job.close();
        shouldRefuse(2, "etcd keeps nothing of job job-1: it is over, or has not begun; mpiexec -n MIN:MAX");
        job = null;
    }
}
