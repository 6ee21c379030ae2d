package org.ulfmj.rendezvous.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ulfmj.rendezvous.client.ServedJob.OPTIONS;
import static org.ulfmj.rendezvous.client.ServedJob.SECOND;

import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.rendezvous.RunSpec;

/**
 * A connection between rank and launcher that a plan of faults cuts in one direction or both: messages that are sent in
 * such a direction during the cut arrive once the cut has ended.
 */
@Timeout(120)
class CutLineTest {
    private static final int RULE = 7;

    private final ServedJob job = new ServedJob();
    private RendezvousClient client;
    private long beganNs;

    @BeforeEach
    void join() throws Exception {
        job.serve(new RunSpec("job-1", 1, OPTIONS, 60 * SECOND, 30 * SECOND));
        client = job.joined(job.joining(job.request(0)));
        beganNs = System.nanoTime();
        client.poll(beganNs, job.news);
    }

    @AfterEach
    void close() throws Exception {
        job.close();
    }

    @Test
    void shouldNeitherHearNorReachTheLauncherWhileItIsCut() throws Exception {
        cut(true, true);
        client.poll(at(1), job.news);
        assertThat(client.operations()).isZero();
        assertThat(client.nextDeadlineNs()).as("the end of the cut").isEqualTo(at(3));
        client.reached(RULE);
        tellAndAwaitArrival();
        client.poll(at(2), job.news);
        assertThat(job.news.lines()).isEmpty();
        assertThat(client.isFlushed()).isFalse();
        mend();
        job.launcher.await("reached 0 rule " + RULE);
        assertThat(job.news.lines()).contains("signal USR1");
        assertThat(client.operations()).isEqualTo(SelectionKey.OP_READ);
        assertThat(client.nextDeadlineNs()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void shouldReachALauncherThatItDoesNotHear() throws Exception {
        cut(true, false);
        client.poll(at(1), job.news);
        client.reached(RULE);
        job.launcher.await("reached 0 rule " + RULE);
        tellAndAwaitArrival();
        client.poll(at(2), job.news);
        assertThat(job.news.lines()).isEmpty();
        mend();
    }

    @Test
    void shouldHearALauncherThatItDoesNotReach() throws Exception {
        cut(false, true);
        client.poll(at(1), job.news);
        client.reached(RULE);
        tellAndAwaitArrival();
        client.poll(at(2), job.news);
        assertThat(job.news.lines()).contains("signal USR1");
        assertThat(client.isFlushed()).isFalse();
        mend();
        job.launcher.await("reached 0 rule " + RULE);
    }

    private void cut(boolean isUnheard, boolean isUnreached) {
        client.cut(List.of(new LineCut(at(1), at(3), isUnheard, isUnreached)));
        assertThat(client.nextDeadlineNs()).as("the beginning of the cut").isEqualTo(at(1));
    }

    private long at(int seconds) {
        return beganNs + seconds * SECOND;
    }

    private void tellAndAwaitArrival() throws Exception {
        job.server.signal(ProcessId.of(0), "USR1");
        try (Selector arrivals = Selector.open()) {
            client.channel().register(arrivals, SelectionKey.OP_READ);
            arrivals.select();
        }
    }

    private void mend() {
        client.poll(at(3), job.news);
        assertThat(job.news.lines()).contains("signal USR1");
        assertThat(client.isFlushed()).isTrue();
    }
}
