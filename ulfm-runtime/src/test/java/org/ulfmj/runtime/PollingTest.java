package org.ulfmj.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.ulfmj.agree.CommunicatorIds;
import org.ulfmj.protocol.Digest64;
import org.ulfmj.protocol.Membership;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.Timing;
import org.ulfmj.runtime.options.RankSettings;
import org.ulfmj.transport.local.LocalHub;

/** One engine without its progress thread, whose clock the test turns. */
class PollingTest {
    private static final Timing TIMING = Timing.fromTimeout(TimeUnit.SECONDS.toNanos(5));

    private final Hooks hooks = new Hooks();
    private volatile long aheadNs;
    private final RankEngine engine = new RankEngine(
            new RankIdentity(ProcessId.of(0), Membership.initial(2), new byte[16]),
            new CommunicatorIds(new Digest64(new byte[16])),
            new LocalHub(2).fabric(0),
            () -> System.nanoTime() + aheadNs,
            RankSettings.of(TIMING),
            hooks,
            new PollingProgress.Maker());

    /** A progress thread that is asked for the seat once. */
    private void takeTheSeat() {
        PollingProgress progress = (PollingProgress) engine.progress();
        CompletableFuture<Void> background = CompletableFuture.runAsync(() -> {
            engine.lock().lock();
            try {
                while (progress.seatIsWithProgressThread()) {
                    progress.driveInBackground();
                }
            } finally {
                engine.lock().unlock();
            }
        });
        engine.enter();
        try {
            progress.await(() -> !progress.seatIsWithProgressThread());
        } finally {
            engine.leave();
        }
        background.join();
    }

    @Test
    void shouldUseTheSeatOnceItIsOverdueHoweverShortTheCallsAre() {
        takeTheSeat();
        int looks = 20;
        int before = hooks.seatPolls;
        for (int call = 0; call < looks * PollingProgress.POLLS_A_CLOCK; call++) {
            aheadNs += 2_000_000;
            engine.enter();
            try {
                long polls = engine.polls();
                engine.progress().await(() -> engine.polls() > polls);
            } finally {
                engine.leave();
            }
        }
        assertThat(hooks.seatPolls - before).isEqualTo(looks);
    }

    @Test
    void shouldCountTimersAsWorkForWhoeverWaitsForThem() {
        engine.enter();
        try {
            engine.control().start();
            assertThat(engine.poll(true)).isZero();
            aheadNs += TIMING.detectorTimeoutNs();
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
        private int seatPolls;
        private long deadlineNs = Long.MAX_VALUE;

        @Override
        public void onSeatPoll(long nowNs) {
            seatPolls++;
        }

        @Override
        public long nextDeadlineNs() {
            return deadlineNs;
        }
    }
}
