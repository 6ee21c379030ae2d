package org.ulfmj.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ulfmj.runtime.Raised.error;
import static org.ulfmj.runtime.Raised.fault;

import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ulfmj.runtime.collective.BarrierSchedule;
import org.ulfmj.runtime.error.CallError;
import org.ulfmj.runtime.error.ErrorClass;
import org.ulfmj.runtime.message.SendMode;
import org.ulfmj.runtime.transfer.Operation;

/** Tests which operations a member's death ends, and which go on as if nothing had happened. */
class DeathOfAPeerTest {
    @ParameterizedTest
    @ValueSource(ints = {10, 200_000})
    void shouldRaiseAtNamedReceiveWhenTheSenderDies(int length) throws Exception {
        try (LocalRanks ranks = new LocalRanks(3)) {
            ranks.run(
                    rank -> {
                        Communicator world = rank.world();
                        CallError fault = fault(() -> Messages.receive(world, length, 1, 4));
                        assertThat(fault.error()).isEqualTo(ErrorClass.PROC_FAILED);
                        assertThat(fault.failedRanks()).containsExactly(1);
                        assertThat(fault)
                                .hasMessageContaining(
                                        "receive from rank 1, tag 4 on COMM_WORLD (3 ranks): rank 1 (process"
                                                + " 1) has failed: declared by process 1, thread 1 was killed, ")
                                .hasMessageContaining("shrink() leaves it out");
                        Messages.send(world, new byte[] {1}, 2, 1);
                    },
                    rank -> ranks.kill(1),
                    rank -> {
                        assertThat(Messages.receive(rank.world(), 1, 0, 1)).containsExactly(1);
                    });
            assertThat(ranks.goodbyes[0].toArray()).containsExactly(1);
        }
    }

    @Test
    void shouldRaiseAtSendsToTheDead() throws Exception {
        try (LocalRanks ranks = new LocalRanks(2)) {
            ranks.run(
                    rank -> {
                        Communicator world = rank.world();
                        Operation large = world.send(Messages.payload(new byte[1 << 20]), 1, 1, SendMode.STANDARD);
                        Operation matched = world.send(Messages.payload(new byte[1]), 1, 1, SendMode.SYNCHRONOUS);
                        assertThat(error(() -> world.await(large))).isEqualTo(ErrorClass.PROC_FAILED);
                        assertThat(error(() -> world.await(matched))).isEqualTo(ErrorClass.PROC_FAILED);
                        Operation posted = world.send(Messages.payload(new byte[1]), 1, 1, SendMode.STANDARD);
                        assertThat(error(() -> world.await(posted))).isEqualTo(ErrorClass.PROC_FAILED);
                    },
                    rank -> ranks.kill(1));
        }
    }

    @Test
    void shouldEndWaitingCollectivesWhenAMemberDies() throws Exception {
        try (LocalRanks ranks = new LocalRanks(4)) {
            ranks.run(rank -> {
                Communicator world = rank.world();
                if (world.rank() == 3) {
                    ranks.kill(3);
                    return;
                }
                CallError fault = fault(() -> world.collectives().run(new BarrierSchedule()));
                assertThat(fault.error()).isEqualTo(ErrorClass.PROC_FAILED);
                assertThat(fault)
                        .hasMessageContaining("barrier on COMM_WORLD (4 ranks): rank 3 (process 3) has failed");
            });
        }
    }

    @Test
    void shouldNotDisturbOthersWhenAMemberDies() throws Exception {
        try (LocalRanks ranks = new LocalRanks(3)) {
            // The creation of a communicator checks for failures when a member enters it, so no member may die before
            // the others have entered.
            CountDownLatch made = new CountDownLatch(3);
            ranks.run(rank -> {
                Communicator world = rank.world();
                Communicator pair = world.creation().create(new int[] {0, 1});
                made.countDown();
                made.await();
                if (world.rank() == 2) {
                    assertThat(pair).isNull();
                    ranks.kill(2);
                    return;
                }
                RankPolling.untilFailed(ranks, world, 1);
                assertThat(error(() -> world.collectives().run(new BarrierSchedule())))
                        .isEqualTo(ErrorClass.PROC_FAILED);
                assertThat(error(world.creation()::dup)).isEqualTo(ErrorClass.PROC_FAILED);
                world.recovery().acknowledge(1);
                assertThat(error(() -> world.collectives().run(new BarrierSchedule())))
                        .isEqualTo(ErrorClass.PROC_FAILED);
                pair.collectives().run(new BarrierSchedule());
                assertThat(pair.recovery().failedRanks()).isEmpty();
                Communicator again = pair.creation().dup();
                again.collectives().run(new BarrierSchedule());
                Messages.send(world, new byte[] {3}, 1 - world.rank(), 0);
                assertThat(Messages.receive(world, 1, 1 - world.rank(), 0)).containsExactly(3);
                Communicator group = world.creation().createGroup(new int[] {1, 0}, 5);
                assertThat(group.rank()).isEqualTo(1 - world.rank());
                group.collectives().run(new BarrierSchedule());
            });
        }
    }
}
