package org.ulfmj.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ulfmj.runtime.Raised.error;

import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.ulfmj.runtime.error.ErrorClass;
import org.ulfmj.runtime.message.SendMode;

/**
 * Tests that messages which a dead rank had sent whole are received, and that a later message is not received in place
 * of one that was lost with its sender.
 */
class MessagesOfTheDeadTest {
    @Test
    void shouldDeliverWhatTheDeadHadSentWhole() throws Exception {
        try (LocalRanks ranks = new LocalRanks(2)) {
            ranks.run(
                    rank -> {
                        Communicator world = rank.world();
                        RankPolling.untilFailed(ranks, world, 1);
                        assertThat(Envelope.probe(world, Communicator.ANY_SOURCE, 3))
                                .isEqualTo(new Envelope(1, 3, 100));
                        assertThat(Messages.receive(world, 100, 1, 3)).isEqualTo(Messages.bytes(1, 100));
                        assertThat(Messages.receive(world, 100, Communicator.ANY_SOURCE, 3))
                                .isEqualTo(Messages.bytes(2, 100));
                        assertThat(error(() -> Messages.receive(world, 100, 1, 3)))
                                .isEqualTo(ErrorClass.PROC_FAILED);
                    },
                    rank -> {
                        Messages.send(rank.world(), Messages.bytes(1, 100), 0, 3);
                        Messages.send(rank.world(), Messages.bytes(2, 100), 0, 3);
                        rank.world().send(Messages.payload(new byte[100_000]), 0, 3, SendMode.STANDARD);
                        ranks.kill(1);
                    });
        }
    }

    @Test
    void shouldDeliverWhatTheDeadHadSentWholeOnACommunicatorMadeLater() throws Exception {
        try (LocalRanks ranks = new LocalRanks(2)) {
            ranks.run(
                    rank -> {
                        RankPolling.untilFailed(ranks, rank.world(), 1);
                        Communicator late = EarlyCommunicator.make(rank);
                        assertThat(Messages.receive(late, 100, 1, 3)).isEqualTo(Messages.bytes(1, 100));
                        assertThat(error(() -> Messages.receive(late, 100_000, 1, 3)))
                                .isEqualTo(ErrorClass.PROC_FAILED);
                        late.recovery().acknowledge(1);
                        assertThat(Envelope.tryProbe(late, Communicator.ANY_SOURCE, 3))
                                .isNull();
                    },
                    rank -> {
                        Communicator early = EarlyCommunicator.make(rank);
                        Messages.send(early, Messages.bytes(1, 100), 0, 3);
                        early.send(Messages.payload(new byte[100_000]), 0, 3, SendMode.STANDARD);
                        ranks.kill(1);
                    });
        }
    }

    @Test
    void shouldLetNoMessageOvertakeOneThatWasLostWithItsSender() throws Exception {
        try (LocalRanks ranks = new LocalRanks(2)) {
            ranks.run(
                    rank -> {
                        Communicator world = rank.world();
                        Messages.receive(world, 0, 1, 9);
                        Messages.send(world, new byte[0], 1, 0);
                        RankPolling.untilFailed(ranks, world, 1);
                        world.recovery().acknowledge(1);
                        assertThat(Envelope.tryProbe(world, Communicator.ANY_SOURCE, 3))
                                .isNull();
                        assertThat(Envelope.tryProbe(world, Communicator.ANY_SOURCE, Communicator.ANY_TAG))
                                .isNull();
                        assertThat(error(() -> Envelope.tryProbe(world, 1, 3))).isEqualTo(ErrorClass.PROC_FAILED);
                        assertThat(Messages.receive(world, 1, Communicator.ANY_SOURCE, 4))
                                .containsExactly(4);
                        assertThat(error(() -> Messages.receive(world, 100_000, 1, 3)))
                                .isEqualTo(ErrorClass.PROC_FAILED);
                        assertThat(Envelope.tryProbe(world, 1, 3).lengthBytes()).isOne();
                        assertThat(Messages.receive(world, 1, Communicator.ANY_SOURCE, Communicator.ANY_TAG))
                                .containsExactly(3);
                        assertThat(error(() -> Messages.receive(world, 1, 1, 3)))
                                .isEqualTo(ErrorClass.PROC_FAILED);
                    },
                    rank -> {
                        Communicator world = rank.world();
                        world.send(Messages.payload(new byte[100_000]), 0, 3, SendMode.STANDARD);
                        Messages.send(world, new byte[] {3}, 0, 3);
                        Messages.send(world, new byte[] {4}, 0, 4);
                        Messages.send(world, new byte[0], 0, 9);
                        Messages.receive(world, 0, 0, 0);
                        ranks.kill(1);
                    });
        }
    }

    @Test
    void shouldLetNoMessageOvertakeOneThatWasLostOnACommunicatorMadeLater() throws Exception {
        try (LocalRanks ranks = new LocalRanks(2)) {
            ranks.run(
                    rank -> {
                        RankPolling.untilFailed(ranks, rank.world(), 1);
                        Communicator late = EarlyCommunicator.make(rank);
                        assertThat(error(() -> Messages.receive(late, 100_000, 1, 3)))
                                .isEqualTo(ErrorClass.PROC_FAILED);
                        assertThat(Messages.receive(late, 1, 1, 3)).containsExactly(3);
                    },
                    rank -> {
                        Communicator early = EarlyCommunicator.make(rank);
                        early.send(Messages.payload(new byte[100_000]), 0, 3, SendMode.STANDARD);
                        Messages.send(early, new byte[] {3}, 0, 3);
                        ranks.kill(1);
                    });
        }
    }

    @Test
    void shouldNotOfferWhatTheDeadCanNoLongerSend() throws Exception {
        CountDownLatch otherMaySend = new CountDownLatch(1);
        try (LocalRanks ranks = new LocalRanks(3)) {
            ranks.run(
                    rank -> {
                        Communicator world = rank.world();
                        assertThat(Envelope.probe(world, 1, 3).lengthBytes()).isEqualTo(100_000);
                        Messages.send(world, new byte[0], 1, 0);
                        RankPolling.untilFailed(ranks, world, 1);
                        world.recovery().acknowledge(1);
                        assertThat(Envelope.tryProbe(world, Communicator.ANY_SOURCE, 3))
                                .isNull();
                        otherMaySend.countDown();
                        assertThat(Messages.receive(world, 1, Communicator.ANY_SOURCE, 3))
                                .containsExactly(2);
                    },
                    rank -> {
                        rank.world().send(Messages.payload(new byte[100_000]), 0, 3, SendMode.STANDARD);
                        Messages.receive(rank.world(), 0, 0, 0);
                        ranks.kill(1);
                    },
                    rank -> {
                        otherMaySend.await();
                        Messages.send(rank.world(), new byte[] {2}, 0, 3);
                    });
        }
    }
}
