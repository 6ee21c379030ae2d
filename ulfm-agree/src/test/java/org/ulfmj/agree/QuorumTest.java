package org.ulfmj.agree;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.ulfmj.agree.message.Contribution;
import org.ulfmj.agree.message.Kind;
import org.ulfmj.protocol.SlotRuns;
import org.ulfmj.protocol.SlotSet;

class QuorumTest {
    private static final long SHRUNK = 0xc1;
    private static final long HALF = 0xc2;

    @Test
    void shouldDecideWhenMoreThanHalfAreLeft() {
        Crowd crowd = ranksOf(5, 3, 4);
        shrink(crowd, 0, 1, 2);
        assertThat(crowd.commonDecision(1).failed()).isEqualTo(SlotSet.of(3, 4));
    }

    @Test
    void shouldFenceTheRootWhenOnlyHalfAreLeft() {
        Crowd crowd = ranksOf(4, 2, 3);
        shrink(crowd, 0, 1);
        assertThat(crowd.member(0).fencedBecause)
                .isEqualTo("of the 4 processes that the last agreement left 2 are left on this side, and"
                        + " ulfm.ft.quorum=majority lets only more than half of them go on");
        assertThat(crowd.member(1).fencedBecause)
                .as("the next root, when the first is gone")
                .contains("1 are left on this side");
        assertThat(crowd.member(0).decisions).isEmpty();
    }

    @Test
    void shouldNeedNoMajorityByDefault() {
        Crowd crowd = new Crowd(4);
        kill(crowd, 1, 2, 3);
        shrink(crowd, 0);
        assertThat(crowd.commonDecision(1).failed()).isEqualTo(SlotSet.of(1, 2, 3));
    }

    @Test
    void shouldBeMetInAWorldOfOne() {
        Crowd crowd = ranksOf(1);
        shrink(crowd, 0);
        assertThat(crowd.commonDecision(1).failed()).isEqualTo(SlotSet.EMPTY);
    }

    @Test
    void shouldCountFromWhatTheLastAgreementLeftWhenMoreFail() {
        Crowd crowd = ranksOf(5, 3, 4);
        shrink(crowd, 0, 1, 2);
        kill(crowd, 2);
        shrink(crowd, 0, 1);
        assertThat(crowd.commonDecision(2).failed()).isEqualTo(SlotSet.of(2, 3, 4));
        kill(crowd, 1);
        shrink(crowd, 0);
        assertThat(crowd.member(0).fencedBecause).contains("of the 2 processes", "1 are left");
    }

    /**
     * The program shrinks COMM_WORLD, and then shrinks the result again. Finalize is an agreement of COMM_WORLD, on
     * which the second shrink was not made. The deaths that the second shrink agreed on must count for the majority of
     * Finalize all the same.
     */
    @Test
    void shouldCountWhatWasAgreedOnAShrunkCommunicatorWhenTheWorldAgreesAgain() {
        Crowd crowd = ranksOf(5, 3, 4);
        shrink(crowd, 0, 1, 2);
        register(crowd, SHRUNK, 0, 1, 2);
        kill(crowd, 2);
        shrinkOn(crowd, SHRUNK, 0, 1);
        crowd.finish(0);
        crowd.finish(1);
        crowd.settle();
        assertThat(crowd.member(0).core.isLeaving()).isTrue();
        assertThat(crowd.member(1).core.isLeaving()).isTrue();
    }

    @Test
    void shouldFenceOnAShrunkCommunicatorWhenItsMajorityIsLost() {
        Crowd crowd = ranksOf(3, 2);
        shrink(crowd, 0, 1);
        register(crowd, SHRUNK, 0, 1);
        kill(crowd, 1);
        shrinkOn(crowd, SHRUNK, 0);
        assertThat(crowd.member(0).fencedBecause).contains("of the 2 processes", "1 are left");
    }

    @Test
    void shouldAskForAMajorityOfWhatANonBlockingShrinkMade() {
        Crowd crowd = ranksOf(3, 2);
        for (int slot = 0; slot < 2; slot++) {
            crowd.enter(slot, new Contribution(Kind.ISHRINK, -1, SlotSet.ALL));
        }
        crowd.settle();
        register(crowd, SHRUNK, 0, 1);
        kill(crowd, 1);
        shrinkOn(crowd, SHRUNK, 0);
        assertThat(crowd.member(0).fencedBecause).contains("of the 2 processes", "1 are left");
    }

    @Test
    void shouldNotAskForAMajorityOfASmallerCommunicator() {
        Crowd crowd = ranksOf(4);
        register(crowd, HALF, 0, 1);
        kill(crowd, 1);
        shrinkOn(crowd, HALF, 0);
        assertThat(crowd.member(0).decisionsElsewhere.get(HALF).failed()).isEqualTo(SlotSet.of(1));
    }

    @Test
    void shouldCountTheDepartedAsLeft() {
        Crowd crowd = ranksOf(3);
        for (int slot = 0; slot < 3; slot++) {
            crowd.finish(slot);
        }
        crowd.settle();
        for (Crowd.Member member : crowd.members) {
            assertThat(member.core.isLeaving()).isTrue();
        }
    }

    /** Processes 0 and 1 are cut off from 2, 3 and 4: each side holds the other for failed. */
    @Test
    void shouldLetOneSideOfASplitGoOn() {
        Crowd crowd = ranksOf(5);
        for (int low = 0; low < 2; low++) {
            for (int high = 2; high < 5; high++) {
                crowd.suspect(low, high);
                crowd.suspect(high, low);
            }
        }
        for (int low = 0; low < 2; low++) {
            for (int high = 2; high < 5; high++) {
                crowd.channel(low, high).clear();
                crowd.channel(high, low).clear();
            }
        }
        for (int slot = 0; slot < 5; slot++) {
            crowd.enter(slot, new Contribution(Kind.AGREE_UNIFORM, -1, SlotSet.EMPTY));
        }
        for (int round = 0; round < 20; round++) {
            for (int from = 0; from < 5; from++) {
                for (int to = 0; to < 5; to++) {
                    if (from < 2 == to < 2) {
                        crowd.deliverAll(from, to);
                    }
                }
            }
        }
        assertThat(crowd.member(0).fencedBecause).contains("2 are left on this side");
        assertThat(crowd.member(0).decisions).isEmpty();
        assertThat(crowd.member(1).decisions).isEmpty();
        for (int high = 2; high < 5; high++) {
            assertThat(crowd.member(high).decisions.get(1L).failed()).isEqualTo(SlotSet.of(0, 1));
        }
    }

    private static Crowd ranksOf(int size, int... dead) {
        Crowd crowd = new Crowd(size, true);
        kill(crowd, dead);
        return crowd;
    }

    private static void kill(Crowd crowd, int... dead) {
        for (int slot : dead) {
            crowd.crash(slot);
        }
        crowd.settle();
    }

    private static void shrink(Crowd crowd, int... slots) {
        shrinkOn(crowd, Crowd.COMM, slots);
    }

    private static void shrinkOn(Crowd crowd, long communicator, int... slots) {
        for (int slot : slots) {
            crowd.enterOn(communicator, slot, new Contribution(Kind.SHRINK, -1, SlotSet.ALL));
        }
        crowd.settle();
    }

    private static void register(Crowd crowd, long communicator, int... slots) {
        for (int slot : slots) {
            crowd.register(slot, communicator, SlotRuns.of(slots));
        }
    }
}
