package org.ulfmj.detector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ulfmj.detector.RingSurroundings.HEARTBEAT;
import static org.ulfmj.detector.RingSurroundings.MS;

import org.junit.jupiter.api.Test;
import org.ulfmj.protocol.ProcessId;

/** Shows that a rank that did not run for a while blames no other rank for the silence of that time. */
class OwnStallTest {
    private final RingSurroundings its = new RingSurroundings();

    @Test
    void shouldNotBlameThePeerForOurOwnStall() {
        RingDetector ring = its.started(3, 5);
        long t = 50 * MS;
        ring.onMessage(ProcessId.of(2), HEARTBEAT, t, its.out);
        its.run(ring, t + 150 * MS);

        // The ring gets a tick almost 20 s later than it asked for; no message was readable.
        long woken = t + 20_000 * MS;
        ring.onTick(woken, its.out);
        ring.onTick(woken + 10 * MS, its.out);
        assertThat(ring.takeSuspects()).isEmpty();
        assertThat(its.guard.longestNs()).isGreaterThan(19_700 * MS);

        // As much of the timeout is left after the stall as was left before it.
        its.run(ring, woken + 750 * MS);
        assertThat(ring.takeSuspects()).isEmpty();
        its.run(ring, woken + 920 * MS);
        assertThat(ring.takeSuspects()).containsExactly(ProcessId.of(2));
    }

    @Test
    void shouldNotBlameTheProbedForOurOwnStall() {
        RingDetector ring = its.startedLongAgo(9, 16);
        ring.onMessage(ProcessId.of(8), HEARTBEAT, 0, its.out);
        its.fail(ring, 8, 0);
        its.run(ring, 500 * MS);
        long woken = 20_000 * MS;
        ring.onTick(woken, its.out);
        ring.onTick(woken + 10 * MS, its.out);
        assertThat(ring.takeSuspects()).isEmpty();
        its.run(ring, woken + 620 * MS);
        assertThat(ring.takeSuspects()).hasSize(5);
    }

    @Test
    void shouldNotAddAStallToATimeoutThatBeganAfterIt() {
        RingDetector ring = its.started(3, 5);
        its.run(ring, 4_000 * MS);
        // After a stall of about 21 s a heartbeat that has arrived meanwhile is handed over before the tick.
        long woken = 25_000 * MS;
        ring.onMessage(ProcessId.of(2), HEARTBEAT, woken, its.out);
        ring.onTick(woken, its.out);
        its.run(ring, woken + 1_010 * MS);
        assertThat(ring.takeSuspects()).containsExactly(ProcessId.of(2));
    }

    @Test
    void shouldNotCountAPollThatCameLateItself() {
        RingDetector ring = its.started(3, 5);
        long t = 50 * MS;
        ring.onMessage(ProcessId.of(2), HEARTBEAT, t, its.out);
        its.run(ring, t + 1_000 * MS);
        ring.onTick(t + 9_000 * MS, its.out);
        assertThat(ring.takeSuspects()).isEmpty();
        its.run(ring, t + 9_010 * MS);
        assertThat(ring.takeSuspects()).containsExactly(ProcessId.of(2));
    }
}
