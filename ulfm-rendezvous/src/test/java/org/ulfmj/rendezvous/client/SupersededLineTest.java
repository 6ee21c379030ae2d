package org.ulfmj.rendezvous.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ulfmj.rendezvous.client.ServedJob.SECOND;

import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.rendezvous.RunSpec;
import org.ulfmj.rendezvous.message.RendezvousMessage;

/** Tests a connection that takes the place of an older one of the same process. */
class SupersededLineTest {
    private static final int ROUNDS = 12;

    private final ServedJob job = new ServedJob();

    @AfterEach
    void close() throws Exception {
        job.close();
    }

    /**
     * The launcher finds the old and the new connection readable at once, in any order: messages on the old one are not
     * lost.
     */
    @Test
    void shouldHearWhatWasSaidOnAConnectionBeforeTheNextOneWasAccepted() throws Exception {
        job.serve(new RunSpec("job-1", 1, ServedJob.OPTIONS, 60 * SECOND, 30 * SECOND));
        JoinRequest request = job.request(0);
        job.joined(job.joining(request));
        ClientConnection line = dialed(request);
        accept(line);
        for (int rule = 1; rule <= ROUNDS; rule++) {
            ClientConnection next = dialed(request);
            CountDownLatch stopped = new CountDownLatch(1);
            job.server.hearOut(ProcessId.of(0), stopped::countDown);
            job.server.pause(SECOND / 5);
            assertThat(stopped.await(60, TimeUnit.SECONDS)).isTrue();
            line.write(new RendezvousMessage.Reached(rule));
            next.advance();
            accept(next);
            job.launcher.await("reached 0 rule " + rule);
            line.close();
            line = next;
        }
        line.close();
    }

    /** Returns a connection on which the launcher's challenge has arrived and is not answered yet. */
    private static ClientConnection dialed(JoinRequest request) throws Exception {
        ClientConnection dialed = new ClientConnection(request.caller(), 0);
        while (!dialed.channel().finishConnect()) {
            Thread.sleep(1);
        }
        try (Selector selector = Selector.open()) {
            dialed.channel().register(selector, SelectionKey.OP_READ);
            assertThat(selector.select(60_000)).isEqualTo(1);
        }
        return dialed;
    }

    private static void accept(ClientConnection dialed) throws Exception {
        long startNs = System.nanoTime();
        while (!dialed.advance()) {
            assertThat(System.nanoTime() - startNs).isLessThan(60 * SECOND);
            Thread.sleep(1);
        }
    }
}
