package org.ulfmj.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ulfmj.runtime.Raised.error;

import org.junit.jupiter.api.Test;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.runtime.error.ErrorClass;
import org.ulfmj.runtime.message.EagerCredit;
import org.ulfmj.runtime.message.MessageKey;
import org.ulfmj.runtime.message.SendMode;
import org.ulfmj.runtime.transfer.Inside;
import org.ulfmj.runtime.transfer.Operation;

/** Tests messages for a communicator that their receiver has not made yet. */
class HeldMessagesTest {
    @Test
    void shouldHoldMessagesForACommunicatorThatIsMadeLater() throws Exception {
        new LocalRanks(2).runOnce(rank -> {
            Communicator world = rank.world();
            if (world.rank() == 0) {
                Communicator made = world.creation().dup();
                Messages.send(made, Messages.bytes(1, 1000), 1, 1);
                Operation large = made.send(Messages.payload(Messages.bytes(2, 100_000)), 1, 1, SendMode.STANDARD);
                Messages.send(world, new byte[0], 1, 0);
                made.await(large);
            } else {
                Messages.receive(world, 0, 0, 0);
                Communicator made = world.creation().dup();
                assertThat(Messages.receive(made, 1000, 0, 1)).isEqualTo(Messages.bytes(1, 1000));
                assertThat(Messages.receive(made, 100_000, 0, 1)).isEqualTo(Messages.bytes(2, 100_000));
            }
        });
    }

    @Test
    void shouldDropWhatIsHeldForACommunicatorThatIsRevokedBeforeItIsMadeHere() throws Exception {
        int length = 1000;
        try (LocalRanks ranks = new LocalRanks(
                2,
                settings -> settings.withEager(length, 2 * EagerCredit.costBytes(MessageKey.POINT_TO_POINT, length)))) {
            ranks.run(
                    rank -> {
                        Communicator world = rank.world();
                        Communicator early = EarlyCommunicator.make(rank);
                        Messages.send(early, new byte[length], 1, 1);
                        Messages.send(early, new byte[length], 1, 1);
                        Operation offered = early.send(Messages.payload(new byte[100_000]), 1, 1, SendMode.STANDARD);
                        Messages.receive(world, 0, 1, 0);
                        EagerCredit credit = Inside.credit(rank.engine().traffic(), ProcessId.of(1));
                        assertThat(credit.allows(1)).isFalse();
                        early.recovery().revoke();
                        assertThat(error(() -> early.await(offered))).isEqualTo(ErrorClass.REVOKED);
                        RankPolling.untilUnderLock(ranks, rank.engine(), () -> credit.allows(length));
                        Messages.send(world, new byte[0], 1, 2);
                    },
                    rank -> {
                        RankPolling.untilUnderLock(
                                ranks,
                                rank.engine(),
                                () -> rank.engine().inbound().heldFrames() == 3);
                        Messages.send(rank.world(), new byte[0], 0, 0);
                        RankPolling.untilUnderLock(
                                ranks,
                                rank.engine(),
                                () -> rank.engine().inbound().heldFrames() == 0);
                        Messages.receive(rank.world(), 0, 0, 2);
                        Communicator late = EarlyCommunicator.make(rank);
                        assertThat(late.isRevoked()).isTrue();
                        assertThat(error(() -> Messages.receive(late, length, 0, 1)))
                                .isEqualTo(ErrorClass.REVOKED);
                    });
        }
    }

    @Test
    void shouldDropWhatIsHeldForWhatARevokedParentWillNeverMakeHere() throws Exception {
        int length = 1000;
        try (LocalRanks ranks = new LocalRanks(
                2,
                settings -> settings.withEager(length, 2 * EagerCredit.costBytes(MessageKey.POINT_TO_POINT, length)))) {
            ranks.run(
                    rank -> {
                        Communicator loop = rank.world().creation().dup();
                        loop.recovery().revokeOffspring(true);
                        Communicator made = loop.creation().dup();
                        Messages.send(made, new byte[length], 1, 1);
                        Messages.send(made, new byte[length], 1, 1);
                        EagerCredit credit = Inside.credit(rank.engine().traffic(), ProcessId.of(1));
                        assertThat(credit.allows(1)).isFalse();
                        Messages.receive(rank.world(), 0, 1, 0);
                        loop.recovery().revoke();
                        assertThat(made.isRevoked()).isTrue();
                        assertThat(error(() -> Messages.receive(made, length, 1, 1)))
                                .isEqualTo(ErrorClass.REVOKED);
                        RankPolling.untilUnderLock(ranks, rank.engine(), () -> credit.allows(length));
                        Messages.send(rank.world(), new byte[0], 1, 2);
                    },
                    rank -> {
                        Communicator loop = rank.world().creation().dup();
                        loop.recovery().revokeOffspring(true);
                        RankPolling.untilUnderLock(
                                ranks,
                                rank.engine(),
                                () -> rank.engine().inbound().heldFrames() == 2);
                        Messages.send(rank.world(), new byte[0], 0, 0);
                        RankPolling.untilUnderLock(
                                ranks,
                                rank.engine(),
                                () -> rank.engine().inbound().heldFrames() == 0);
                        assertThat(error(loop.creation()::dup)).isEqualTo(ErrorClass.REVOKED);
                        Messages.receive(rank.world(), 0, 0, 2);
                    });
        }
    }
}
