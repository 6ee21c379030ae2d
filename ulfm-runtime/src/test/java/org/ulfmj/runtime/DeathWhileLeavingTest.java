package org.ulfmj.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.ulfmj.detector.Evidence;
import org.ulfmj.protocol.Membership;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.Timing;
import org.ulfmj.runtime.member.RankIdentity;
import org.ulfmj.runtime.options.RankSettings;
import org.ulfmj.transport.Fabric;
import org.ulfmj.transport.Frame;
import org.ulfmj.transport.local.LocalHub;

/**
 * Rank 1 dies after Finalize was decided and before it has sent its goodbye. Rank 0, which is leaving, does not count
 * this as a failure, but must not wait for rank 1 to acknowledge frames either.
 */
class DeathWhileLeavingTest {
    private static final ProcessId STAYS = ProcessId.of(0);
    private static final ProcessId DIES = ProcessId.of(1);
    /**
     * Timeouts of minutes for a broken link, so that a rank which waits for such a timeout exceeds the test's limit.
     */
    private static final Timing TIMING = Timing.fromTimeout(TimeUnit.MINUTES.toNanos(5));

    private static final long MOST_SECONDS = 60;

    private final LocalHub hub = new LocalHub(2);
    private final CompletableFuture<Void> death = new CompletableFuture<>();
    private volatile boolean isAbandoned;

    @Test
    void shouldNotWaitForTheAcknowledgementsOfTheDead() throws Exception {
        RankRuntime stays = rank(STAYS, neverAcknowledged(hub.fabric(STAYS.slot())));
        RankRuntime dies = rank(DIES, deadAtItsGoodbye(hub.fabric(DIES.slot())));
        CompletableFuture<Void> finished = CompletableFuture.runAsync(stays::finish, DeathWhileLeavingTest::start);
        start(dies::finish);
        death.get(MOST_SECONDS, TimeUnit.SECONDS);
        stays.news().onEvidence(DIES, new Evidence(Evidence.Kind.CERTAIN, STAYS, "for a test"));
        finished.get(MOST_SECONDS, TimeUnit.SECONDS);
        assertThat(stays.isFinished()).isTrue();
        assertThat(isAbandoned).isTrue();
        dies.kill(new Error("the test is over"));
    }

    private static RankRuntime rank(ProcessId id, Fabric fabric) {
        RankIdentity identity =
                new RankIdentity(id, Membership.initial(2), "secret".getBytes(StandardCharsets.US_ASCII));
        return RankRuntime.create(identity, fabric, System::nanoTime, RankSettings.of(TIMING), new Hooks());
    }

    /** Makes a fabric that reports frames to the other rank as not yet arrived, until that rank's link is abandoned. */
    private Fabric neverAcknowledged(Fabric fabric) {
        return InterceptedFabric.of(fabric, (method, arguments) -> {
            if (method.equals("abandon")) {
                isAbandoned = true;
            }
            return method.equals("connected") ? List.of(DIES) : method.equals("isHandedOver") ? isAbandoned : null;
        });
    }

    /**
     * Makes a fabric that sends nothing from the rank's goodbye on. The goodbye is the first frame that asks to be
     * acknowledged.
     */
    private Fabric deadAtItsGoodbye(Fabric fabric) {
        return InterceptedFabric.of(fabric, (method, arguments) -> {
            boolean isLost =
                    method.equals("offer") && (death.isDone() || ((Frame) arguments[2]).asksForAcknowledgement());
            if (isLost) {
                death.complete(null);
            }
            return isLost ? true : null;
        });
    }

    private static void start(Runnable task) {
        Thread thread = new Thread(task);
        thread.setDaemon(true);
        thread.start();
    }

    /** A process that takes no part. */
    private static final class Hooks extends SilentHooks {}
}
