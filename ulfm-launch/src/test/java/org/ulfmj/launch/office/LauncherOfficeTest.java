package org.ulfmj.launch.office;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.ulfmj.command.UsageException;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.rendezvous.RunSpec;
import org.ulfmj.rendezvous.SilentListener;
import org.ulfmj.rendezvous.etcd.EtcdServer;
import org.ulfmj.transport.auth.JobSecret;
import org.ulfmj.transport.record.Protection;

/** The launcher's office, in a real etcd. */
class LauncherOfficeTest {
    private static final long SECOND = 1_000_000_000;

    @TempDir
    Path directory;

    private final List<String> said = new CopyOnWriteArrayList<>();
    private EtcdServer etcd;

    /** A listener of a rendezvous server that ignores all events but an error of the server. */
    private static final class Silent extends SilentListener {

        @Override
        public void onBroken(Throwable cause) {
            throw new AssertionError(cause);
        }
    }

    @BeforeEach
    void startEtcd() throws Exception {
        Assumptions.assumeTrue(
                EtcdServer.binary() != null,
                "no etcd here (Debian: apt-get install etcd-server, or name it in " + EtcdServer.BINARY + ")");
        etcd = EtcdServer.start();
    }

    @AfterEach
    void stopEtcd() {
        if (etcd != null) {
            etcd.close();
        }
    }

    private String url() {
        return "etcd://" + etcd.endpoint() + "/job-1?lease=2";
    }

    private LauncherOffice open() {
        RunSpec run = new RunSpec("run", 2, 0, 60 * SECOND, 30 * SECOND);
        return LauncherOffice.open(
                url(), run, JobSecret.random(), "127.0.0.1", Protection.AUTO, new Silent(), said::add);
    }

    @Test
    void shouldRefuseAJobThatAnotherMpiexecCoordinatesAndBeginOnceThatIsOver() {
        LauncherOffice first = open();
        assertThatThrownBy(this::open)
                .isInstanceOf(UsageException.class)
                .hasMessageContaining(
                        "job job-1 has a coordinator at " + first.server().address());
        first.close();
        open().close();
        assertThat(said).isEmpty();
    }

    @Test
    void shouldRunAnActionOnceThatIsAskedForInEachTerm() throws Exception {
        LastingWords words = new LastingWords();
        BlockingQueue<String> heard = new LinkedBlockingQueue<>();
        words.say(server -> heard.add("said"));
        words.hearOut(ProcessId.of(0), () -> heard.add("heard out"), 7);
        assertThat(words.oldestNs()).isEqualTo(7);
        for (int term = 0; term < 2; term++) {
            LauncherOffice office = open();
            words.begin(office.server());
            assertThat(heard.poll(60, TimeUnit.SECONDS)).isEqualTo("said");
            if (term == 0) {
                assertThat(heard.poll(60, TimeUnit.SECONDS)).isEqualTo("heard out");
            }
            words.end();
            office.close();
        }
        assertThat(heard).isEmpty();
        assertThat(words.oldestNs()).isEqualTo(Long.MAX_VALUE);
        assertThat(words.giveUp()).isZero();
    }

    @Test
    void shouldNotWaitForEverForWhatNoCoordinatorStores() throws Exception {
        LauncherOffice office = open();
        etcd.kill();
        BlockingQueue<String> heard = new LinkedBlockingQueue<>();
        office.say(server -> server.abort(3, "the end"));
        office.hearOut(ProcessId.of(0), () -> heard.add("heard out"));
        long dueNs = office.deadlineNs();
        assertThat(dueNs - System.nanoTime()).isBetween(30 * SECOND, 34 * SECOND);
        office.tick(dueNs - 1);
        assertThat(heard).isEmpty();
        office.tick(dueNs + 600 * SECOND);
        assertThat(heard).as("mpiexec stood still").isEmpty();
        dueNs = office.deadlineNs();
        assertThat(dueNs - System.nanoTime()).isBetween(600 * SECOND, 700 * SECOND);
        office.tick(dueNs);
        assertThat(heard).containsExactly("heard out");
        assertThat(said).singleElement().asString().contains("whether they had finalized is not known");
        assertThat(office.deadlineNs()).isEqualTo(Long.MAX_VALUE);
        said.clear();
        office.close();
        assertThat(said).singleElement().asString().contains("mpiexec --rdzv-forget");
        assertThat(heard).hasSize(1);
    }

    @Test
    void shouldTakeTheSecretOfTheFileThatTheUrlNames() throws Exception {
        Path file = directory.resolve("secret");
        JobSecret secret = JobSecret.random();
        secret.write(file);
        assertThat(LauncherOffice.secret("--rdzv", "etcd://a/job?secret_file=" + file)
                        .bytes())
                .isEqualTo(secret.bytes());
        assertThatThrownBy(
                        () -> LauncherOffice.secret("--rdzv", "etcd://a/job?secret_file=" + directory.resolve("none")))
                .isInstanceOf(UsageException.class)
                .hasMessageStartingWith("--rdzv etcd://a/job?secret_file=")
                .hasMessageEndingWith("/none: there is no such file");
    }
}
