package org.ulfmj.rendezvous.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ulfmj.rendezvous.client.ServedJob.OPTIONS;
import static org.ulfmj.rendezvous.client.ServedJob.SECOND;

import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotSet;
import org.ulfmj.rendezvous.Members;
import org.ulfmj.rendezvous.RunSpec;
import org.ulfmj.rendezvous.store.StoreReply;
import org.ulfmj.rendezvous.store.StoreRequest;
import org.ulfmj.rendezvous.store.StoreResult;
import org.ulfmj.transport.record.Protection;

/**
 * Tests encrypted records between processes and launcher. In some tests the path between them records all bytes, or
 * changes some.
 */
@Timeout(120)
class EncryptedLineTest {
    private static final byte[] KNOWN =
            "what no process between the two may read. ".repeat(30).getBytes(StandardCharsets.US_ASCII);

    private final ServedJob job = new ServedJob();
    private final List<AutoCloseable> opened = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        job.close();
        for (AutoCloseable one : opened) {
            one.close();
        }
    }

    private void serve(int size, Protection protection) throws Exception {
        job.protection = protection;
        job.serve(new RunSpec("job-1", size, OPTIONS, 60 * SECOND, 30 * SECOND));
    }

    private JoinRequest request(int slot, InetSocketAddress launcher, Protection protection) {
        return new JoinRequest(
                launcher,
                "job-1",
                Members.member(slot, 100 + slot),
                job.secret,
                OPTIONS,
                60 * SECOND,
                20 * SECOND,
                null,
                protection,
                null);
    }

    private RecordingPath path() throws Exception {
        RecordingPath path = new RecordingPath(job.server.port());
        opened.add(path);
        return path;
    }

    @Test
    void shouldCarryAllMessagesOfAJob() throws Exception {
        serve(3, Protection.AEAD);
        List<CompletableFuture<RendezvousClient>> joining = new ArrayList<>();
        for (int slot = 0; slot < 3; slot++) {
            joining.add(job.joining(request(slot, job.address(), Protection.AEAD)));
        }
        List<RendezvousClient> clients = new ArrayList<>();
        for (CompletableFuture<RendezvousClient> one : joining) {
            clients.add(job.joined(one));
        }
        byte[] value = new byte[900_000];
        value[value.length - 1] = 7;
        StoreReply set = clients.get(0).ask(new StoreRequest.Set("key", value));
        job.pollUntil(clients.get(0), set::isDone);
        StoreReply got = clients.get(1).ask(new StoreRequest.Get("key", false));
        job.pollUntil(clients.get(1), got::isDone);
        assertThat(((StoreResult.Found) got.result()).value()).isEqualTo(value);
        job.server.ended(ProcessId.of(0), "killed by signal 9");
        job.pollUntil(clients.get(1), () -> job.news.lines().contains("death 0: killed by signal 9"));
        clients.get(2).channel().close();
        clients.get(2).goodbye(SlotSet.of(0));
        job.pollUntil(clients.get(2), clients.get(2)::isGoodbyeHeard);
        job.launcher.await("goodbye 2 {0}");
    }

    @ParameterizedTest
    @EnumSource(Protection.class)
    void shouldShowWhatItSaysOnlyWithoutRecords(Protection protection) throws Exception {
        serve(1, protection);
        RecordingPath path = path();
        RendezvousClient client = job.joined(job.joining(request(0, path.address(), protection)));
        StoreReply set = client.ask(new StoreRequest.Set("key", KNOWN));
        job.pollUntil(client, set::isDone);
        String known = new String(KNOWN, StandardCharsets.US_ASCII);
        if (protection == Protection.AEAD) {
            assertThat(path.recorded())
                    .hasSizeGreaterThan(known.length())
                    .doesNotContain("what no process", "may read");
        } else {
            assertThat(path.recorded()).contains(known);
        }
    }

    /** A record that fails its check ends the connection; on the next one the unanswered request is sent again. */
    @Test
    void shouldDialAgainWhenARecordIsNotRight() throws Exception {
        serve(1, Protection.AEAD);
        RecordingPath path = path();
        RendezvousClient client = job.joined(job.joining(request(0, path.address(), Protection.AEAD)));
        for (boolean isToLauncher : new boolean[] {true, false}) {
            int before = path.connections();
            path.spoilNext(isToLauncher);
            StoreReply set = client.ask(new StoreRequest.Set("key", KNOWN));
            job.pollUntil(client, set::isDone);
            assertThat(set.unknownBecause()).isNull();
            assertThat(path.connections()).isEqualTo(before + 1);
        }
        client.reached(3);
        job.launcher.await("reached 0 rule 3");
        assertThat(job.news.lines()).isEmpty();
    }

    /** The connection stays within the host, so the process offers no records at first; the launcher demands them. */
    @Test
    void shouldOfferRecordsFromTheSecondDialOnWhereTheLauncherDemandsThem() throws Exception {
        serve(1, Protection.AEAD);
        RecordingPath path = path();
        RendezvousClient client = job.joined(job.joining(request(0, path.address(), Protection.AUTO)));
        assertThat(path.connections()).isEqualTo(2);
        client.channel().close();
        StoreReply set = client.ask(new StoreRequest.Set("key", KNOWN));
        job.pollUntil(client, set::isDone);
        assertThat(path.connections()).isEqualTo(3);
        assertThat(path.recorded()).doesNotContain("what no process", "may read");

        SpareRequest spare =
                new SpareRequest(path.address(), "job-1", 1, 201, job.secret, OPTIONS, 20 * SECOND, Protection.AUTO);
        CompletableFuture<ProcessId> place = job.elsewhere(() -> RendezvousClient.awaitAssignment(spare));
        job.launcher.await("spare 1");
        assertThat(path.connections()).isEqualTo(5);
        job.server.assign(1, new ProcessId(0, 1));
        assertThat(place.get(60, TimeUnit.SECONDS)).isEqualTo(new ProcessId(0, 1));
    }

    @Test
    void shouldRefuseAProcessThatOffersNoRecords() throws Exception {
        serve(1, Protection.AEAD);
        CompletableFuture<RendezvousClient> plain = job.joining(request(0, job.address(), Protection.NONE));
        assertThatThrownBy(() -> plain.get(60, TimeUnit.SECONDS))
                .rootCause()
                .isInstanceOf(RendezvousException.class)
                .hasMessageStartingWith(
                        "the launcher refused this process: this connection must carry encrypted records,");
        job.joined(job.joining(request(0, job.address(), Protection.AEAD)));
    }
}
