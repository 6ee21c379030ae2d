package org.ulfmj.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.ulfmj.protocol.Membership;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.Timing;
import org.ulfmj.runtime.leave.Preemption;
import org.ulfmj.runtime.member.RankIdentity;
import org.ulfmj.runtime.options.RankSettings;
import org.ulfmj.transport.local.LocalHub;

/** Tests SIGTERM that arrives with or without a handler, just before its removal, twice, or after Finalize. */
@Timeout(60)
class PreemptionSignalsTest {
    private static final long GRACE_NS = 60_000_000_000L;

    private final CompletableFuture<Integer> code = new CompletableFuture<>();
    private final CompletableFuture<String> word = new CompletableFuture<>();
    private final CountDownLatch isAsked = new CountDownLatch(1);
    private final RankRuntime rank = start();
    private final Preemption preemption = rank.signals().preemption();

    @Test
    void shouldRunTheHandlerThatWasSetWhenTheSignalCame() throws Exception {
        preemption.handle(timeNs -> isAsked.countDown());
        // The handler's thread needs this monitor, so it runs only after the handler has been removed again.
        synchronized (preemption) {
            assertThat(preemption.begin(GRACE_NS)).isTrue();
            preemption.handle(null);
        }
        assertThat(code.get(50, TimeUnit.SECONDS)).isEqualTo(Preemption.PREEMPTED);
        assertThat(word).isCompletedWithValue("preempted");
        assertThat(isAsked.getCount()).isZero();
    }

    @Test
    void shouldLeaveTheSignalToTheProcessWithoutAHandler() {
        assertThat(preemption.begin(GRACE_NS)).isFalse();
        preemption.handle(timeNs -> isAsked.countDown());
        preemption.handle(null);
        assertThat(preemption.begin(GRACE_NS)).isFalse();
        assertThat(preemption.isUnderWay()).isFalse();
    }

    @Test
    void shouldTakeASecondSignalForTheFirstOneUntilTheRankHasLeft() throws Exception {
        CountDownLatch mayEnd = new CountDownLatch(1);
        preemption.handle(timeNs -> mayEnd.await());
        assertThat(preemption.begin(GRACE_NS)).isTrue();
        assertThat(preemption.begin(GRACE_NS)).isTrue();
        mayEnd.countDown();
        assertThat(code.get(50, TimeUnit.SECONDS)).isEqualTo(Preemption.PREEMPTED);
        assertThat(preemption.begin(GRACE_NS)).isTrue();
    }

    /**
     * Shows that a SIGTERM after Finalize is left to the process as one without a handler is, even if a handler had
     * begun: a program that finalizes while its handler runs may take as long as it likes.
     */
    @Test
    void shouldLeaveTheSignalToTheProcessOnceFinalizeHasReturnedThoughAHandlerHadBegun() throws Exception {
        preemption.handle(timeNs -> {
            isAsked.countDown();
            new CountDownLatch(1).await();
        });
        assertThat(preemption.begin(GRACE_NS)).isTrue();
        isAsked.await();
        rank.finish();
        assertThat(preemption.begin(GRACE_NS)).isFalse();
        assertThat(code).isNotDone();
    }

    private RankRuntime start() {
        RankIdentity identity =
                new RankIdentity(ProcessId.of(0), Membership.initial(1), "secret".getBytes(StandardCharsets.US_ASCII));
        RankSettings settings = RankSettings.of(Timing.fromTimeout(5_000_000_000L));
        return RankRuntime.create(identity, new LocalHub(1).fabric(0), System::nanoTime, settings, new Hooks());
    }

    private final class Hooks extends SilentHooks {
        @Override
        public boolean watchForPreemption(Preemption watched) {
            return true;
        }

        @Override
        public void onLeave(String why, long mostNs) {
            word.complete(why);
        }

        @Override
        public void onLeft(int newCode) {
            code.complete(newCode);
        }
    }
}
