package org.ulfmj.runtime.office;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotSet;
import org.ulfmj.rendezvous.RunSpec;
import org.ulfmj.rendezvous.SilentListener;
import org.ulfmj.rendezvous.client.JoinRequest;
import org.ulfmj.rendezvous.client.RendezvousClient;
import org.ulfmj.rendezvous.elect.Elected;
import org.ulfmj.rendezvous.server.RendezvousServer;
import org.ulfmj.transport.MemberRecord;
import org.ulfmj.transport.auth.JobSecret;
import org.ulfmj.transport.host.HostProcess;
import org.ulfmj.transport.host.ProcessStat;

/** Tests what the rank that holds the coordinator's office sees of the processes of its host, and how it kills one. */
@Timeout(120)
class HostWatchTest {
    private static final long SECOND = 1_000_000_000;
    private static final long HOST = 7;
    private static final ProcessId MEMBER = ProcessId.of(0);
    private static final long NONCE = 100;

    @TempDir
    Path directory;

    private final AtomicInteger finalized = new AtomicInteger();
    private final SilentListener goodbyes = new SilentListener() {
        @Override
        public void onGoodbye(ProcessId from, SlotSet heldForFailed) {
            finalized.incrementAndGet();
        }
    };
    private final JobSecret secret = JobSecret.random();
    private final AtomicReference<RendezvousServer> keeper = new AtomicReference<>();
    private Process child;
    private RendezvousServer server;
    private RendezvousClient client;
    private HostWatch watch;
    private FinalizeNotes notes;

    @BeforeEach
    void serve() throws Exception {
        child = new ProcessBuilder("sleep", "600").start();
        RunSpec run = new RunSpec("job", 1, 0, 60 * SECOND, 30 * SECOND).withSilence(60 * SECOND);
        Elected elected =
                new Elected(image -> keeper.get().stored(), null, true, 0, () -> System.nanoTime() + 60 * SECOND);
        server = new RendezvousServer(run, secret, "127.0.0.1", goodbyes, elected);
        keeper.set(server);
        server.start();
        notes = new FinalizeNotes(directory);
        watch = new HostWatch(server, HOST, notes);
    }

    @AfterEach
    void close() {
        watch.close();
        if (client != null) {
            client.close();
        }
        server.close();
        child.destroyForcibly();
    }

    /**
     * Joins the job in the name of the child, with the given start time as that of the child's process.
     *
     * @param startTicks the start time in clock ticks, as {@code /proc} gives it
     */
    private void join(long startTicks) {
        HostProcess self = HostProcess.self();
        HostProcess process = new HostProcess(child.pid(), startTicks, self.pidNamespace(), self.bootId());
        client = RendezvousClient.join(new JoinRequest(
                new InetSocketAddress("127.0.0.1", server.port()),
                "job",
                new MemberRecord(MEMBER, NONCE, HOST, "127.0.0.1", 1, "", process),
                secret,
                0,
                60 * SECOND,
                SECOND));
    }

    private List<MemberRecord> living() throws Exception {
        CompletableFuture<List<MemberRecord>> living = new CompletableFuture<>();
        server.living(living::complete);
        return living.get(60, TimeUnit.SECONDS);
    }

    private void awaitProvenEnd() throws Exception {
        long untilNs = System.nanoTime() + 60 * SECOND;
        while (!living().isEmpty()) {
            assertThat(System.nanoTime() - untilNs).isNegative();
            Thread.onSpinWait();
        }
    }

    @Test
    void shouldKillAndProveTheEnd() throws Exception {
        join(ProcessStat.of(child.pid()).startTicks());
        watch.start();
        // The order is repeated, as the judge of silences does: the watch learns only from time to time which processes
        // there are.
        while (child.isAlive()) {
            watch.kill(NONCE);
        }
        assertThat(child.waitFor()).isEqualTo(128 + 9);
        awaitProvenEnd();
    }

    @Test
    void shouldTakeWhatHasNotedThatItFinalizedForDeparted() throws Exception {
        join(ProcessStat.of(child.pid()).startTicks());
        notes.note(NONCE);
        child.destroyForcibly();
        watch.start();
        awaitProvenEnd();
        assertThat(finalized).hasValue(1);
    }

    @Test
    void shouldTakeNoNoteOfAnotherProcessForItsOwn() throws Exception {
        join(ProcessStat.of(child.pid()).startTicks());
        notes.note(NONCE + 1);
        child.destroyForcibly();
        watch.start();
        awaitProvenEnd();
        assertThat(finalized).hasValue(0);
    }

    @Test
    void shouldFindNoNoteOnceTheDirectoryIsGone() throws Exception {
        notes.note(NONCE);
        assertThat(notes.has(NONCE)).isTrue();
        assertThat(notes.areGone()).isFalse();
        FinalizeNotes ofNone = new FinalizeNotes(directory.resolve("gone"));
        ofNone.note(NONCE);
        assertThat(ofNone.has(NONCE)).isFalse();
        assertThat(ofNone.areGone()).isTrue();
    }

    @Test
    void shouldKillNoProcessThatHasGotThePidSince() throws Exception {
        join(ProcessStat.of(child.pid()).startTicks() - 1);
        watch.start();
        awaitProvenEnd();
        watch.kill(NONCE);
        assertThat(child.isAlive()).isTrue();
    }

    @Test
    void shouldProveAnEndByPidAndStartTimeOnly() throws Exception {
        long pid = child.pid();
        ProcessStat alive = ProcessStat.of(pid);
        HostProcess self = HostProcess.self();
        HostProcess known = new HostProcess(pid, alive.startTicks(), self.pidNamespace(), self.bootId());
        HostProcess former = new HostProcess(pid, alive.startTicks() - 1, self.pidNamespace(), self.bootId());
        assertThat(HostWatch.end(known, alive)).isNull();
        assertThat(HostWatch.end(former, alive)).isEqualTo("pid " + pid + " is gone, and another process by now");
        assertThat(HostWatch.end(known, null)).as("no file descriptor left").isNull();
        child.destroyForcibly();
        child.waitFor();
        assertThat(HostWatch.end(known, ProcessStat.of(pid))).isEqualTo("pid " + pid + " is gone");
    }
}
