package org.ulfmj.agree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ulfmj.agree.ReplacedWorlds.replaceSlotTwo;
import static org.ulfmj.agree.ReplacedWorlds.replacedOnce;
import static org.ulfmj.agree.ReplacedWorlds.replacing;

import org.junit.jupiter.api.Test;
import org.ulfmj.agree.change.ChangeOutcome;
import org.ulfmj.agree.message.Admission;
import org.ulfmj.agree.message.Contribution;
import org.ulfmj.agree.message.ControlMessage;
import org.ulfmj.agree.message.Kind;
import org.ulfmj.agree.tree.TreeShape;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotSet;

/** Tests what a replacement makes of the world: its members, the number of agreements, and the use of the old one. */
class ReplaceTest {
    private static final Contribution AGREE = new Contribution(Kind.AGREE, 5, SlotSet.ALL);

    @Test
    void shouldFillTheSlotInThreeAgreementsWhenTheNewcomerComesLater() {
        ReplaceWorld world = replacing(4, 2);
        assertThat(world.member(0).outcomes).isEmpty();
        assertThat(world.member(0).core.awaitedSlots()).isEqualTo(SlotSet.of(2));
        ReplaceWorld.Member newcomer = world.start(2);
        world.announceToAll(newcomer);
        world.settle();
        for (ReplaceWorld.Member member : world.live()) {
            assertThat(member.admission.membership().process(2)).isEqualTo(newcomer.id);
            assertThat(member.core.membership().epoch()).isEqualTo(1);
        }
        assertThat(world.live()).hasSize(4);
        assertThat(world.member(0).core.agreements().last(ReplaceWorld.WORLD)).isEqualTo(3);
        assertThat(world.member(0).outcomes).containsExactly(new ChangeOutcome.Admitted(newcomer.admission));
    }

    @Test
    void shouldFillTheSlotInTwoAgreementsWhenTheNewcomerWaitsAlready() {
        ReplaceWorld world = new ReplaceWorld(4);
        world.crash(world.member(0));
        world.fill(0);
        world.replaceStrictly();
        assertThat(world.member(1).core.agreements().last(ReplaceWorld.WORLD)).isEqualTo(2);
        assertThat(world.told()).hasSize(1);
        assertThat(world.holder(0).admission).isEqualTo(world.member(3).admission);
    }

    @Test
    void shouldMakeAWorldOfTheSameMembersWhenNoneFailed() {
        ReplaceWorld world = new ReplaceWorld(3);
        world.replaceStrictly();
        assertThat(world.member(0).admission.members().keySet()).containsExactly(0, 1, 2);
        assertThat(world.member(0).core.agreements().last(ReplaceWorld.WORLD)).isEqualTo(2);
        assertThat(world.member(0).admission.world()).isNotEqualTo(ReplaceWorld.WORLD);
    }

    @Test
    void shouldBeEnoughThatOneHasHeardOfTheNewcomer() {
        ReplaceWorld world = new ReplaceWorld(4);
        world.crash(world.member(3));
        ReplaceWorld.Member newcomer = world.start(3);
        world.announce(newcomer, world.member(1));
        world.settle();
        world.replaceStrictly();
        assertThat(newcomer.admission).isNotNull().isEqualTo(world.member(0).admission);
    }

    @Test
    void shouldGoOnWithAgreementsOfTheNewWorld() {
        ReplaceWorld world = replacedOnce();
        world.enterEverywhere(AGREE);
        for (ReplaceWorld.Member member : world.live()) {
            assertThat(member.decisions).hasSize(1);
            assertThat(member.decisions.get(0).failed()).isEqualTo(SlotSet.EMPTY);
        }
    }

    @Test
    void shouldForgetTheOldWorldOnlyWhenTheNewOneHasAgreed() {
        ReplaceWorld world = replacedOnce();
        ReplaceWorld.Member survivor = world.member(0);
        assertThat(survivor.core.agreements().storedDecision(ReplaceWorld.WORLD, 3))
                .isNotNull();
        world.enterEverywhere(AGREE);
        assertThat(survivor.core.agreements().storedDecision(ReplaceWorld.WORLD, 3))
                .isNull();
    }

    @Test
    void shouldGoOnInTheOldEpochWithOldCommunicators() {
        ReplaceWorld world = new ReplaceWorld(3);
        long old = 0xabc;
        world.registerEverywhere(old);
        replaceSlotTwo(world);
        for (int slot = 0; slot < 2; slot++) {
            ReplaceWorld.Member member = world.member(slot);
            assertThat(member.core.membership(old).incarnation(2)).isZero();
            member.core.enter(old, AGREE, 0, member);
        }
        world.settle();
        assertThat(world.member(0).decisions.get(0).failed()).isEqualTo(SlotSet.of(2));
        assertThat(world.member(1).decisions).isEqualTo(world.member(0).decisions);
        // A communicator that is made of the old one later belongs to the old epoch, too.
        for (int slot = 0; slot < 2; slot++) {
            ReplaceWorld.Member member = world.member(slot);
            member.core.register(
                    0xabd,
                    member.core.membership(old).slots(),
                    TreeShape.BINARY,
                    member.core.membership(old),
                    0,
                    member);
            member.core.enter(0xabd, AGREE, 0, member);
        }
        world.settle();
        assertThat(world.member(1).decisions).hasSize(2);
    }

    @Test
    void shouldReplaceTwiceInARow() {
        ReplaceWorld world = replacedOnce();
        world.crash(world.holder(2));
        world.crash(world.member(0));
        world.settle();
        world.replaceStrictly();
        world.announceToAll(world.start(2));
        world.fill(0);
        assertThat(world.told()).containsOnlyKeys(1L, 2L);
        for (ReplaceWorld.Member member : world.live()) {
            assertThat(member.admission.epoch()).isEqualTo(2);
            assertThat(member.admission.membership().incarnation(2)).isEqualTo(2);
            assertThat(member.admission.membership().incarnation(0)).isEqualTo(1);
        }
        assertThat(world.live()).hasSize(4);
    }

    @Test
    void shouldAdmitADeadNewcomerAndReplaceItNextTime() {
        ReplaceWorld world = new ReplaceWorld(3);
        world.crash(world.member(2));
        ReplaceWorld.Member first = world.start(2);
        world.announceToAll(first);
        world.crash(first);
        world.replace(world.member(0), ReplaceWorld.STRICT);
        world.replace(world.member(1), ReplaceWorld.STRICT);
        world.settle();
        Admission admission = world.member(0).admission;
        assertThat(admission.membership().process(2)).isEqualTo(first.id);
        assertThat(world.member(0).core.failures().hasFailed(first.id)).isTrue();
        world.replaceEverywhere(ReplaceWorld.STRICT);
        world.fill(2);
        assertThat(world.member(1).admission.membership().process(2)).isEqualTo(new ProcessId(2, 2));
        assertThat(world.holder(2).admission.epoch()).isEqualTo(2);
    }

    @Test
    void shouldWaitForTheNextNewcomerWhenTheFirstDiedBeforeAnyMemberOfferedIt() {
        ReplaceWorld world = replacing(3, 2);
        ReplaceWorld.Member first = world.start(2);
        world.crash(first);
        world.settle();
        world.announceToAll(first);
        world.settle();
        assertThat(world.member(0).outcomes).isEmpty();
        world.fill(2);
        assertThat(world.told().get(1L).membership().incarnation(2)).isEqualTo(2);
    }

    @Test
    void shouldTakeASecondFailureWhileWaitingIntoTheSameCall() {
        ReplaceWorld world = replacing(4, 3);
        world.crash(world.member(0));
        world.settle();
        assertThat(world.member(1).core.awaitedSlots()).isEqualTo(SlotSet.of(0, 3));
        world.fill(3);
        assertThat(world.member(1).outcomes).isEmpty();
        world.fill(0);
        assertThat(world.live()).hasSize(4).allMatch(member -> member.admission != null);
    }

    @Test
    void shouldReplaceAllButOne() {
        ReplaceWorld world = new ReplaceWorld(5);
        for (int slot : new int[] {0, 1, 3, 4}) {
            world.crash(world.member(slot));
        }
        world.settle();
        world.replaceEverywhere(ReplaceWorld.STRICT);
        for (int slot : new int[] {0, 1, 3, 4}) {
            world.announceToAll(world.start(slot));
        }
        world.settle();
        assertThat(world.live()).hasSize(5).allMatch(member -> member.admission != null);
        assertThat(world.member(2).core.ring().emitter()).isEqualTo(new ProcessId(1, 1));
        assertThat(world.holder(3).core.ring().emitter()).isEqualTo(ProcessId.of(2));
    }

    @Test
    void shouldForgetTheRevocationOfAWorldThatIsBuriedAndItsEpoch() {
        ReplaceWorld world = new ReplaceWorld(4);
        ReplaceWorld.Member survivor = world.member(0);
        survivor.core.revoke(ReplaceWorld.WORLD, 0, survivor);
        world.settle();
        ControlMessage late = new ControlMessage.Revoke(
                ReplaceWorld.WORLD, 0, survivor.core.membership().slots(), 0);
        replaceSlotTwo(world);
        assertThat(survivor.core.isRevoked(ReplaceWorld.WORLD))
                .as("before anything is agreed on")
                .isTrue();
        world.enterEverywhere(AGREE);
        assertThat(survivor.core.isRevoked(ReplaceWorld.WORLD)).isFalse();
        assertThat(survivor.core.epochsInUse()).isEqualTo(1);
        survivor.core.onMessage(ProcessId.of(1), late, 0, survivor);
        assertThat(survivor.core.isRevoked(ReplaceWorld.WORLD))
                .as("by a late message")
                .isFalse();
        assertThat(world.channel(survivor.id, ProcessId.of(1))).isEmpty();
    }

    @Test
    void shouldTellNewcomersNothingOfCommunicatorsThatAreOlderThanThey() {
        ReplaceWorld world = new ReplaceWorld(4);
        long old = 0xabc;
        world.registerEverywhere(old);
        ReplaceWorld.Member survivor = world.member(0);
        survivor.core.revoke(old, 0, survivor);
        world.settle();
        world.crash(world.member(2));
        world.replaceStrictly();
        ReplaceWorld.Member newcomer = world.start(2);
        world.announceToAll(newcomer);
        world.settleWithout(newcomer);
        assertThat(survivor.core.isRevoked(old)).isTrue();
        for (int slot : new int[] {0, 1, 3}) {
            assertThat(world.channel(ProcessId.of(slot), newcomer.id))
                    .noneMatch(ControlMessage.Revoke.class::isInstance);
        }
    }
}
