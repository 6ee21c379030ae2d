package org.ulfmj.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ulfmj.runtime.Raised.error;

import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.ulfmj.runtime.error.CallError;
import org.ulfmj.runtime.error.ErrorClass;
import org.ulfmj.runtime.transfer.Operation;
import org.ulfmj.runtime.transfer.OperationSet;

/**
 * Shows that a failure holds up receives and probes from any source until it is acknowledged, and that a message may
 * still complete such a receive.
 */
class AcknowledgedFailuresTest {
    @Test
    void shouldHoldUpWildcardsUntilEveryFailureIsAcknowledged() throws Exception {
        CountDownLatch secondMayDie = new CountDownLatch(1);
        CountDownLatch thirdMayDie = new CountDownLatch(1);
        try (LocalRanks ranks = new LocalRanks(4)) {
            ranks.run(
                    rank -> {
                        Communicator world = rank.world();
                        assertThat(error(() -> Messages.receive(world, 1, Communicator.ANY_SOURCE, 1)))
                                .isEqualTo(ErrorClass.PROC_FAILED);
                        secondMayDie.countDown();
                        RankPolling.untilFailed(ranks, world, 2);
                        assertThat(world.recovery().failedRanks()).containsExactly(3, 2);
                        byte[] got = new byte[1];
                        Operation request = world.receive(Messages.payload(got), Communicator.ANY_SOURCE, 1);
                        assertThat(world.recovery().acknowledge(0)).isZero();
                        assertThat(whyHeldUp(rank, request).error()).isEqualTo(ErrorClass.PROC_FAILED_PENDING);
                        assertThat(world.recovery().acknowledge(1)).isEqualTo(1);
                        CallError pending = whyHeldUp(rank, request);
                        assertThat(pending.error()).isEqualTo(ErrorClass.PROC_FAILED_PENDING);
                        assertThat(pending).hasMessageContaining("ackFailed()");
                        assertThat(error(() -> Envelope.probe(world, Communicator.ANY_SOURCE, 1)))
                                .isEqualTo(ErrorClass.PROC_FAILED);
                        assertThat(error(() -> Envelope.tryProbe(world, Communicator.ANY_SOURCE, 1)))
                                .isEqualTo(ErrorClass.PROC_FAILED);
                        assertThat(world.recovery().acknowledge(4)).isEqualTo(2);
                        assertThat(Envelope.tryProbe(world, Communicator.ANY_SOURCE, 2))
                                .isNull();
                        Messages.send(world, new byte[0], 1, 0);
                        assertThat(whyHeldUp(rank, request)).isNull();
                        assertThat(request.error()).isEqualTo(ErrorClass.SUCCESS);
                        assertThat(got).containsExactly(6);
                        thirdMayDie.countDown();
                        RankPolling.untilFailed(ranks, world, 3);
                        assertThat(world.recovery().failedRanks()).containsExactly(3, 2, 1);
                        assertThat(world.recovery().acknowledge(0)).isEqualTo(2);
                        assertThat(error(() -> Messages.receive(world, 1, Communicator.ANY_SOURCE, 1)))
                                .isEqualTo(ErrorClass.PROC_FAILED);
                    },
                    rank -> {
                        Messages.receive(rank.world(), 0, 0, 0);
                        Messages.send(rank.world(), new byte[] {6}, 0, 1);
                        thirdMayDie.await();
                        ranks.kill(1);
                    },
                    rank -> {
                        secondMayDie.await();
                        ranks.kill(2);
                    },
                    rank -> ranks.kill(3));
        }
    }

    @Test
    void shouldNotCallHeldUpWhatTheSameLookEnds() throws Exception {
        CountDownLatch maySend = new CountDownLatch(1);
        CountDownLatch hasSent = new CountDownLatch(1);
        try (LocalRanks ranks = new LocalRanks(3)) {
            ranks.run(
                    rank -> {
                        Communicator world = rank.world();
                        RankPolling.untilFailed(ranks, world, 1);
                        Operation request = world.receive(Messages.payload(new byte[1]), Communicator.ANY_SOURCE, 1);
                        // The set holds the engine lock, so no other thread takes the message out of its lane.
                        try (OperationSet set = rank.operations("test")) {
                            maySend.countDown();
                            hasSent.await();
                            set.add(request);
                            assertThat(set.isTroubled()).as("before the look").isTrue();
                            set.poll();
                            assertThat(set.hasOpen()).isFalse();
                            assertThat(set.isTroubled()).isFalse();
                        }
                    },
                    rank -> {
                        maySend.await();
                        Messages.send(rank.world(), new byte[1], 0, 1);
                        hasSent.countDown();
                    },
                    rank -> ranks.kill(2));
        }
    }

    /** Waits as a request does. */
    private static CallError whyHeldUp(RankRuntime rank, Operation operation) {
        try (OperationSet set = rank.operations("wait")) {
            set.add(operation);
            set.awaitAll();
            return set.fault(operation);
        }
    }
}
