package org.ulfmj.agree;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.ulfmj.agree.message.Contribution;
import org.ulfmj.agree.message.Decision;
import org.ulfmj.agree.message.Kind;
import org.ulfmj.protocol.SlotSet;

class UniformTest {
    private static final int RANKS = 4;

    @Test
    void shouldTakeTwiceTheMessagesOfAnAgreementAndReturnOnceWithoutFailures() {
        Crowd crowd = new Crowd(RANKS);
        agreeUniformly(crowd, 0, 1, 2, 3);
        crowd.settle();
        Decision decision = crowd.commonDecision(1);
        assertThat(decision.flag(Kind.AGREE_UNIFORM)).isEqualTo(~0b1111);
        assertThat(decision.failureUnacknowledged()).isFalse();
        assertThat(crowd.sent).isEqualTo(4 * (RANKS - 1));
        for (Crowd.Member member : crowd.members) {
            assertThat(member.decisions).containsOnlyKeys(1L);
            assertThat(member.core.agreements().last(Crowd.COMM)).isEqualTo(2);
            assertThat(member.core.agreements().storedDecisions(Crowd.COMM)).isEqualTo(1);
        }
    }

    @Test
    void shouldNotReturnWhenOnlyTheFirstHalfIsDecided() {
        Crowd crowd = new Crowd(2);
        agreeUniformly(crowd, 0, 1);
        crowd.deliver(1, 0);
        assertThat(crowd.member(0).core.agreements().storedDecision(Crowd.COMM, 1))
                .isNotNull();
        assertThat(crowd.member(0).decisions).isEmpty();
        assertThat(crowd.member(0).core.agreements().awaited(Crowd.COMM, 1)).isEqualTo(SlotSet.of(1));
        assertThat(crowd.member(0).core.agreements().describe(Crowd.COMM, 1)).startsWith("agreement 2 GATHERING");
        crowd.settle();
        assertThat(crowd.member(0).decisions).containsOnlyKeys(1L);
    }

    /**
     * The schedule in which a plain agreement returns a decision at a rank that then dies, and the survivors decide
     * something else. A uniform agreement returns nothing at that rank.
     */
    @Test
    void shouldNotTellADyingRootWhatSurvivorsDoNotDecide() {
        assertThat(decidedByADyingRoot(Kind.AGREE)).isNotNull();
        assertThat(decidedByADyingRoot(Kind.AGREE_UNIFORM)).isNull();
    }

    private static Decision decidedByADyingRoot(Kind kind) {
        Crowd crowd = new Crowd(3);
        for (int slot = 0; slot < 3; slot++) {
            crowd.enter(slot, new Contribution(kind, ~(1 << slot), SlotSet.EMPTY));
        }
        crowd.deliver(1, 0);
        crowd.deliver(2, 0);
        crowd.crash(0);
        crowd.channel(0, 1).clear();
        crowd.channel(0, 2).clear();
        crowd.settle();
        Decision ofSurvivors = crowd.commonDecision(1);
        assertThat(ofSurvivors.failureUnacknowledged()).isTrue();
        assertThat(ofSurvivors.failed()).isEqualTo(SlotSet.of(0));
        return crowd.member(0).decisions.get(1L);
    }

    @Test
    void shouldReturnTheFirstDecisionWhenAMemberDiesInTheSecondHalf() {
        Crowd crowd = new Crowd(3);
        agreeUniformly(crowd, 0, 1, 2);
        crowd.deliver(1, 0);
        crowd.deliver(2, 0);
        crowd.deliverAll(0, 1);
        crowd.deliverAll(0, 2);
        crowd.crash(0);
        crowd.channel(1, 0).clear();
        crowd.settle();
        Decision decision = crowd.commonDecision(1);
        assertThat(decision.failed()).isEqualTo(SlotSet.EMPTY);
        assertThat(decision.flag(Kind.AGREE_UNIFORM)).isEqualTo(~0b111);
        assertThat(crowd.member(1).failed).containsExactly(crowd.member(0).id);
    }

    @Test
    void shouldEndAfterTheFirstHalfWhenRanksMakeDifferentCalls() {
        Crowd crowd = new Crowd(3);
        agreeUniformly(crowd, 0, 2);
        crowd.agree(1, 5);
        crowd.settle();
        assertThat(crowd.commonDecision(1).kinds()).containsOnlyKeys(Kind.AGREE, Kind.AGREE_UNIFORM);
        for (Crowd.Member member : crowd.members) {
            assertThat(member.core.agreements().last(Crowd.COMM)).isEqualTo(1);
        }
    }

    @Test
    void shouldTellTheMistakeWhenARankCallsSomethingElseInTheMiddle() {
        Crowd crowd = new Crowd(2);
        agreeUniformly(crowd, 0, 1);
        crowd.enter(1, new Contribution(Kind.IAGREE, -1, SlotSet.EMPTY));
        crowd.settle();
        agree(crowd, Kind.IAGREE, 0);
        crowd.settle();
        assertThat(crowd.member(0).decisions.get(1L).kinds()).containsOnlyKeys(Kind.IAGREE, Kind.CONFIRM_UNIFORM);
        assertThat(crowd.member(1).decisions.get(2L))
                .isEqualTo(crowd.member(0).decisions.get(1L));
        assertThat(crowd.member(1).decisions).containsKey(1L);
    }

    @Test
    void shouldWorkOnARevokedCommunicatorAndAloneWhenAllOthersAreDead() {
        Crowd crowd = new Crowd(2);
        crowd.crash(1);
        crowd.tellDeath(0, 1);
        crowd.member(0).core.revoke(Crowd.COMM, 0, (to, message) -> {});
        agreeUniformly(crowd, 0);
        assertThat(crowd.commonDecision(1).failed()).isEqualTo(SlotSet.of(1));
        assertThat(crowd.member(0).core.isRevoked(Crowd.COMM)).isTrue();
    }

    @Test
    void shouldLeaveTheFailedOutOfTheNextTreeWhenTheSecondHalfFoundThem() {
        Crowd crowd = new Crowd(3);
        crowd.crash(2);
        crowd.tellDeath(0, 2);
        crowd.tellDeath(1, 2);
        agreeUniformly(crowd, 0, 1);
        crowd.settle();
        int before = crowd.sent;
        agree(crowd, Kind.AGREE, 0, 1);
        crowd.settle();
        assertThat(crowd.sent - before).isEqualTo(2);
        assertThat(crowd.commonDecision(3).isOnly(Kind.AGREE)).isTrue();
    }

    private static void agreeUniformly(Crowd crowd, int... slots) {
        agree(crowd, Kind.AGREE_UNIFORM, slots);
    }

    private static void agree(Crowd crowd, Kind kind, int... slots) {
        for (int slot : slots) {
            crowd.enter(slot, new Contribution(kind, ~(1 << slot), SlotSet.EMPTY));
        }
    }

    @Test
    void shouldDrawItsSecondNumberFromItsOwnCommunicator() {
        Crowd crowd = new Crowd(3);
        long other = 0xc1;
        for (Crowd.Member member : crowd.members) {
            crowd.register(member.id.slot(), other);
        }
        agreeUniformly(crowd, 0, 1, 2);
        for (Crowd.Member member : crowd.members) {
            crowd.enterOn(other, member.id.slot(), new Contribution(Kind.IAGREE, -1, SlotSet.EMPTY));
        }
        crowd.settle();
        for (Crowd.Member member : crowd.members) {
            assertThat(member.core.agreements().last(other)).isEqualTo(1);
            assertThat(member.core.agreements().last(Crowd.COMM)).isEqualTo(2);
        }
    }
}
