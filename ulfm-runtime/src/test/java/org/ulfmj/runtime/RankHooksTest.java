package org.ulfmj.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.ulfmj.protocol.Membership;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotSet;
import org.ulfmj.protocol.Timing;
import org.ulfmj.runtime.member.RankIdentity;
import org.ulfmj.runtime.options.RankSettings;
import org.ulfmj.transport.local.LocalHub;

class RankHooksTest {
    private static final ProcessId ME = ProcessId.of(0);

    @Test
    void shouldKnowTheRankBeforeAnythingElseIsAskedOfThem() throws InterruptedException {
        Recorded hooks = new Recorded();
        RankRuntime rank = RankRuntime.create(
                new RankIdentity(ME, Membership.initial(1), new byte[] {1}),
                new LocalHub(1).fabric(0),
                System::nanoTime,
                RankSettings.of(Timing.fromTimeout(TimeUnit.SECONDS.toNanos(30))),
                hooks);
        assertThat(hooks.polled.await(60, TimeUnit.SECONDS)).isTrue();
        rank.finish();
        assertThat(hooks.ranks).containsExactly(rank);
        assertThat(hooks.calls).contains("onSeatPoll", "onGoodbye").startsWith("onStart");
    }

    /** Hooks that record the calls of four of their methods, in order. */
    private static final class Recorded extends SilentHooks {
        private final List<String> calls = new CopyOnWriteArrayList<>();
        private final List<RankRuntime> ranks = new CopyOnWriteArrayList<>();
        private final CountDownLatch polled = new CountDownLatch(1);

        @Override
        public void onStart(RankRuntime rank) {
            calls.add("onStart");
            ranks.add(rank);
        }

        @Override
        public void onSeatPoll(long nowNs) {
            calls.add("onSeatPoll");
            polled.countDown();
        }

        @Override
        public long nextDeadlineNs() {
            calls.add("nextDeadlineNs");
            return Long.MAX_VALUE;
        }

        @Override
        public void onGoodbye(SlotSet failed) {
            calls.add("onGoodbye");
        }
    }
}
