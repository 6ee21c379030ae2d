package org.ulfmj.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ulfmj.runtime.Raised.fault;

import org.junit.jupiter.api.Test;
import org.ulfmj.runtime.collective.BarrierSchedule;
import org.ulfmj.runtime.error.CallError;
import org.ulfmj.runtime.error.ErrorClass;

/**
 * Tests what the survivors of a failure decide together by agree and shrink, and what error all members get when they
 * make different calls.
 */
class AgreeAndShrinkTest {
    @Test
    void shouldAgreeOnTheAndAndRaiseUntilFailuresAreAcknowledged() throws Exception {
        try (LocalRanks ranks = new LocalRanks(4)) {
            ranks.run(rank -> {
                Communicator world = rank.world();
                assertThat(world.recovery().agree(0b1011 | world.rank() << 4)).isEqualTo(0b1011);
                if (world.rank() == 1) {
                    ranks.kill(1);
                    return;
                }
                CallError fault = fault(() -> world.recovery().agree(world.rank() == 0 ? 0b1101 : 0b1110));
                assertThat(fault.error()).isEqualTo(ErrorClass.PROC_FAILED);
                assertThat(fault.agreedValue()).isEqualTo(0b1100);
                assertThat(fault.failedRanks()).containsExactly(1);
                assertThat(fault).hasMessageContaining("not every member has acknowledged the failure of rank 1");
                world.recovery().acknowledge(4);
                assertThat(world.recovery().agree(3)).isEqualTo(3);
                assertThat(world.recovery().agreeFailed()).containsExactly(1);
            });
        }
    }

    @Test
    void shouldShrinkAgainAndAgainUntilOneIsLeft() throws Exception {
        int size = 6;
        try (LocalRanks ranks = new LocalRanks(size)) {
            ranks.run(rank -> {
                Communicator current = rank.world();
                while (current.size() > 1) {
                    if (current.rank() == current.size() - 1) {
                        ranks.kill(rank.id().slot());
                    }
                    current.recovery().revoke();
                    int expected = current.size() - 1;
                    Communicator next = current.recovery().shrink();
                    while (next.size() > expected) {
                        next = next.recovery().shrink();
                    }
                    assertThat(next.size()).isEqualTo(expected);
                    assertThat(next.rank()).isEqualTo(current.rank());
                    try {
                        next.collectives().run(new BarrierSchedule());
                    } catch (CallError failedAgain) {
                        assertThat(failedAgain.error()).isIn(ErrorClass.PROC_FAILED, ErrorClass.REVOKED);
                    }
                    current = next;
                }
                assertThat(rank.id().slot()).isZero();
            });
            assertThat(ranks.goodbyes[0].toArray()).containsExactly(1, 2, 3, 4, 5);
        }
    }

    @Test
    void shouldTellAllMembersWhenCallsAreMixed() throws Exception {
        new LocalRanks(3).runOnce(rank -> {
            Communicator world = rank.world();
            CallError fault = fault(() -> {
                if (world.rank() == 0) {
                    world.recovery().shrink();
                } else if (world.rank() == 1) {
                    world.recovery().agree(1);
                } else {
                    rank.finish();
                }
            });
            assertThat(fault.error()).isEqualTo(ErrorClass.ARG);
            String[] calls = {"shrink", "agree", "Finalize"};
            for (int other = 0; other < 3; other++) {
                assertThat(fault)
                        .hasMessageContaining(
                                (other == world.rank() ? "this rank called " : "rank " + other + " called ")
                                        + calls[other]);
            }
            world.collectives().run(new BarrierSchedule());
        });
    }
}
