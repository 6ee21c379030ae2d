package org.ulfmj.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.ulfmj.agree.CommunicatorIds;
import org.ulfmj.protocol.Digest64;
import org.ulfmj.protocol.Membership;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.Timing;
import org.ulfmj.runtime.member.RankIdentity;
import org.ulfmj.runtime.options.RankSettings;
import org.ulfmj.runtime.progress.PollingProgress;
import org.ulfmj.transport.local.LocalHub;

/** Tests the polls of one engine without its progress thread; the test sets the engine's clock. */
class PollingTest {
    private static final Timing TIMING = Timing.fromTimeout(TimeUnit.SECONDS.toNanos(5));

    private final Hooks hooks = new Hooks();
    private volatile long nowNs = 1;
    private final RankEngine engine = new RankEngine(
            new RankIdentity(ProcessId.of(0), Membership.initial(2), new byte[16]),
            new CommunicatorIds(new Digest64(new byte[16])),
            new LocalHub(2).fabric(0),
            () -> nowNs,
            RankSettings.of(TIMING),
            hooks,
            new PollingProgress.Maker());

    @Test
    void shouldCountTimersAsWorkForAThreadThatWaitsForThem() {
        engine.enter();
        try {
            engine.control().start();
            assertThat(engine.poll(true)).isZero();
            nowNs += TIMING.detectorTimeoutNs();
            assertThat(engine.poll(true)).isPositive();
        } finally {
            engine.leave();
        }
    }

    @Test
    void shouldWakeForWhatItsProcessHasToDo() {
        engine.enter();
        try {
            engine.control().start();
            long ofItsOwnNs = engine.nextDeadlineNs();
            hooks.deadlineNs = ofItsOwnNs - 1;
            assertThat(engine.nextDeadlineNs()).isEqualTo(ofItsOwnNs - 1);
            hooks.deadlineNs = ofItsOwnNs + 1;
            assertThat(engine.nextDeadlineNs()).isEqualTo(ofItsOwnNs);
        } finally {
            engine.leave();
        }
    }

    private static final class Hooks extends SilentHooks {
        private long deadlineNs = Long.MAX_VALUE;

        @Override
        public long nextDeadlineNs() {
            return deadlineNs;
        }
    }
}
