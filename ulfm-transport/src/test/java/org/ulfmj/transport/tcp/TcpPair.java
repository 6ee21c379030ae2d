package org.ulfmj.transport.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.Timing;
import org.ulfmj.transport.Frames;
import org.ulfmj.transport.LaneKind;
import org.ulfmj.transport.Polling;
import org.ulfmj.transport.Received;
import org.ulfmj.transport.record.Protection;

/** Two ranks over TCP in this process, which the test polls, with a sink for each. */
abstract class TcpPair {
    /** Handshakes 500 ms, budget 3 s. */
    static final Timing TIMING = Timing.fromTimeout(TimeUnit.SECONDS.toNanos(5));

    static final ProcessId ZERO = ProcessId.of(0);
    static final ProcessId ONE = ProcessId.of(1);

    /** The clock of {@link #world}, which a test may give to other worlds too. */
    final PolledClock clock = new PolledClock();

    final TcpWorld world = new TcpWorld(2, TIMING, clock, protection());
    final Received[] received = {new Received(), new Received()};

    /** Which connections carry encrypted records. */
    Protection protection() {
        return Protection.AUTO;
    }

    @AfterEach
    final void close() {
        world.close();
    }

    final void poll() {
        for (int slot = 0; slot < 2; slot++) {
            world.fabric(slot).pollWithSeat(received[slot]);
        }
    }

    final void pollUntil(BooleanSupplier condition) {
        Polling.until(condition, this::poll);
    }

    /** Checks that the link of the two ranks still works, and that no event was reported. */
    final void shouldStillWork() {
        int before = received[1].frames.size();
        world.fabric(0).offer(ONE, LaneKind.DATA, Frames.numbered(before));
        pollUntil(() -> received[1].frames.size() > before);
        assertThat(received[0].events).isEmpty();
        assertThat(received[1].events).isEmpty();
    }
}
