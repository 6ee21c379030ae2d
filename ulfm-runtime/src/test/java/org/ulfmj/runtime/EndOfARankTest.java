package org.ulfmj.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.ulfmj.protocol.Membership;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.Timing;
import org.ulfmj.runtime.member.RankIdentity;
import org.ulfmj.runtime.options.RankSettings;
import org.ulfmj.transport.local.LocalHub;

/**
 * Shows that a rank that must end tells its process before any thread of the program sees the end: such a thread could
 * otherwise go on to its own exit, and the process would end with the wrong exit code.
 */
class EndOfARankTest {
    private static final ProcessId ME = ProcessId.of(0);

    private final CompletableFuture<Boolean> wasOver = new CompletableFuture<>();

    @Test
    void shouldTellTheProcessThatItIsFencedBeforeAnyThreadOfTheProgram() throws Exception {
        RankRuntime rank = start();
        rank.news().onFence("for a test");
        assertThat(wasOver.get(60, TimeUnit.SECONDS)).isFalse();
        RankPolling.until(() -> rank.waits().describe(), rank::isOver);
    }

    @Test
    void shouldTellTheProcessThatItIsBrokenBeforeAnyThreadOfTheProgram() throws Exception {
        RankRuntime rank = start();
        rank.engine().post(control -> {
            throw new IllegalStateException("for a test");
        });
        assertThat(wasOver.get(60, TimeUnit.SECONDS)).isFalse();
        RankPolling.until(() -> rank.waits().describe(), rank::isOver);
    }

    /**
     * Shows that preparing a connection throws nothing after the rank has finalized: preparation runs in an idle
     * moment, and a short program may have ended by then.
     */
    @Test
    void shouldPrepareNothingAnyMoreWhenItIsOver() {
        RankRuntime rank = start();
        rank.finish();
        assertThatCode(() -> rank.prepare(ME)).doesNotThrowAnyException();
    }

    private RankRuntime start() {
        Hooks hooks = new Hooks();
        RankIdentity identity =
                new RankIdentity(ME, Membership.initial(1), "secret".getBytes(StandardCharsets.US_ASCII));
        RankSettings settings = RankSettings.of(Timing.fromTimeout(5_000_000_000L));
        RankRuntime made = RankRuntime.create(identity, new LocalHub(1).fabric(0), System::nanoTime, settings, hooks);
        hooks.runtime.complete(made);
        return made;
    }

    private final class Hooks extends SilentHooks {
        private final CompletableFuture<RankRuntime> runtime = new CompletableFuture<>();

        @Override
        public void onFenced(String reason) {
            wasOver.complete(runtime.join().isOver());
        }

        @Override
        public void onBroken(Throwable cause) {
            wasOver.complete(runtime.join().isOver());
        }
    }
}
