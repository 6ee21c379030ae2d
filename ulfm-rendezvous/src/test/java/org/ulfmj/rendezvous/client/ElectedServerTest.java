package org.ulfmj.rendezvous.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ulfmj.rendezvous.client.ServedJob.OPTIONS;
import static org.ulfmj.rendezvous.client.ServedJob.SECOND;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotSet;
import org.ulfmj.rendezvous.Members;
import org.ulfmj.rendezvous.RendezvousCore;
import org.ulfmj.rendezvous.RunSpec;
import org.ulfmj.rendezvous.SilentListener;
import org.ulfmj.rendezvous.elect.Elected;
import org.ulfmj.rendezvous.elect.Election;
import org.ulfmj.rendezvous.server.RendezvousServer;
import org.ulfmj.transport.MemberRecord;

/** Tests servers of an elected coordinator over real sockets: one server continues from the stored state of another. */
class ElectedServerTest {
    private static final RunSpec RUN = new RunSpec("job-1", 2, OPTIONS, 60 * SECOND, 30 * SECOND)
            .withRestarts()
            .withMajority(true)
            .withSilence(5 * SECOND);

    private final ServedJob job = new ServedJob();
    private final BlockingQueue<byte[]> images = new LinkedBlockingQueue<>();
    private final AtomicLong heldUntilNs = new AtomicLong(System.nanoTime() + 600 * SECOND);
    private final AtomicLong asked = new AtomicLong();
    private volatile boolean isStoredAtOnce;

    @AfterEach
    void close() throws Exception {
        job.close();
    }

    private Elected elected(byte[] image) {
        return new Elected(
                stored -> {
                    images.add(stored);
                    if (isStoredAtOnce) {
                        job.server.stored();
                    }
                },
                image,
                true,
                0,
                () -> {
                    asked.incrementAndGet();
                    return heldUntilNs.get();
                });
    }

    private void serve(byte[] image) throws IOException {
        job.server = new RendezvousServer(RUN, job.secret, "127.0.0.1", job.launcher, elected(image));
        job.server.start();
    }

    private byte[] awaitImage() throws InterruptedException {
        byte[] image = images.poll(60, TimeUnit.SECONDS);
        assertThat(image).isNotNull();
        return image;
    }

    /**
     * From now on it is not certain that this process has the office. Waits until the server's thread has seen that:
     * until then it may still be in a step.
     */
    private void loseCertainty() {
        heldUntilNs.set(Election.NOT_HELD);
        long before = asked.get();
        while (asked.get() == before) {
            job.server.onceStored(() -> {});
            Thread.onSpinWait();
        }
    }

    private void awaitAsked(long times) {
        long untilNs = System.nanoTime() + 60 * SECOND;
        while (asked.get() < times) {
            assertThat(System.nanoTime() - untilNs).isNegative();
            Thread.onSpinWait();
        }
    }

    private static void await(CountDownLatch latch) throws InterruptedException {
        assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
    }

    /** Waits until the server has done all that it was told, and the state after it is stored. */
    private void settle() throws InterruptedException {
        CountDownLatch isSettled = new CountDownLatch(1);
        job.server.onceStored(isSettled::countDown);
        await(isSettled);
    }

    @Test
    void shouldActOnlyOnceItsStateIsStored() throws Exception {
        serve(null);
        awaitImage();
        assertThat(job.server.lastStored()).isNull();
        CountDownLatch isStarted = new CountDownLatch(1);
        job.server.allowRestart(new ProcessId(1, 1));
        job.server.onceStored(isStarted::countDown);
        job.server.stored();
        byte[] second = awaitImage();
        assertThat(isStarted.getCount()).isEqualTo(1);
        job.server.stored();
        await(isStarted);
        settle();
        assertThat(job.server.lastStored()).isEqualTo(second);
        job.server.close();
    }

    @Test
    void shouldDoNothingWhileTheOfficeIsNotItsForCertain() throws Exception {
        isStoredAtOnce = true;
        serve(null);
        settle();
        loseCertainty();
        CountDownLatch isDone = new CountDownLatch(1);
        long before = asked.get();
        job.server.onceStored(isDone::countDown);
        awaitAsked(before + 5);
        assertThat(isDone.getCount()).isEqualTo(1);
        heldUntilNs.set(System.nanoTime() + 600 * SECOND);
        await(isDone);
        job.server.close();
    }

    @Test
    void shouldTakeNoStepOnceTheOfficeIsLost() throws Exception {
        isStoredAtOnce = true;
        serve(null);
        settle();
        loseCertainty();
        CountDownLatch isDone = new CountDownLatch(1);
        job.server.onceStored(isDone::countDown);
        job.server.close();
        job.server.awaitEnd(60 * SECOND);
        assertThat(isDone.getCount()).isEqualTo(1);
    }

    @Test
    void shouldGoOnFromTheStateOfAnotherServer() throws Exception {
        isStoredAtOnce = true;
        serve(null);
        List<CompletableFuture<RendezvousClient>> joining = new ArrayList<>();
        for (int slot = 0; slot < 2; slot++) {
            joining.add(job.joining(job.request(slot)));
        }
        List<RendezvousClient> members = new ArrayList<>();
        for (CompletableFuture<RendezvousClient> one : joining) {
            members.add(job.joined(one));
        }
        job.server.ended(ProcessId.of(0), "killed by signal 9");
        settle();
        byte[] early = job.server.lastStored();
        members.get(1).goodbye(SlotSet.of(0));
        job.launcher.await("goodbye 1 {0}");
        settle();
        byte[] late = job.server.lastStored();
        job.server.close();
        assertThat(RendezvousCore.runOf(late)).isEqualTo(RUN);

        // Another process has the office.
        serve(late);
        CompletableFuture<RendezvousClient> again =
                job.joining(job.request(Members.member(ProcessId.of(0), 500, 4500)));
        assertThatThrownBy(() -> again.get(60, TimeUnit.SECONDS))
                .hasMessageContaining("rank 0 has joined already, as process 4000");
        CompletableFuture<List<MemberRecord>> living = new CompletableFuture<>();
        job.server.living(living::complete);
        assertThat(living.get(60, TimeUnit.SECONDS)).containsExactly(Members.member(1, 101));
        CompletableFuture<Boolean> isOver = new CompletableFuture<>();
        job.server.isOver(isOver::complete);
        assertThat(isOver.get(60, TimeUnit.SECONDS)).isTrue();
        job.server.close();

        // The first launcher has the office again: it is told what it has missed, and nothing that it was told before.
        job.launcher.take();
        serve(late);
        job.server.tellSince(early);
        settle();
        assertThat(job.launcher.take()).containsExactly("goodbye 1 {0}");
        job.server.tellSince(null);
        settle();
        assertThat(job.launcher.take()).contains("joined 0", "joined 1", "final", "goodbye 1 {0}");
        job.server.close();
    }

    /**
     * A launcher is told what it has missed only once its first state is stored; if it loses the office before, the
     * next term has to tell it.
     */
    @Test
    void shouldTellAgainWhatWasNotToldInATermThatEndedEarly() throws Exception {
        RendezvousCore core = new RendezvousCore(RUN, new SilentListener());
        byte[] early = core.image();
        core.onRestartAllowed(new ProcessId(0, 1));
        job.server = new RendezvousServer(RUN, job.secret, "127.0.0.1", job.launcher, elected(core.image()));
        job.server.tellSince(early);
        job.server.allowRestart(new ProcessId(1, 1));
        job.server.start();
        awaitImage();
        job.server.close();
        job.server.awaitEnd(60 * SECOND);
        assertThat(job.server.lastStored()).isEqualTo(early);

        isStoredAtOnce = true;
        job.server = new RendezvousServer(RUN, job.secret, "127.0.0.1", job.launcher, elected(core.image()));
        job.server.tellSince(early);
        job.server.start();
        settle();
        assertThat(job.server.lastStored()).isEqualTo(core.image());
        job.server.close();
    }

    @Test
    void shouldRefuseTheStateOfAnotherJob() {
        RunSpec other = new RunSpec("job-1", 3, OPTIONS, 60 * SECOND, 30 * SECOND);
        byte[] image = new RendezvousCore(other, new SilentListener()).image();
        assertThatThrownBy(() -> serve(image))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("the stored state is that of RunSpec[runId=job-1, size=3");
    }
}
