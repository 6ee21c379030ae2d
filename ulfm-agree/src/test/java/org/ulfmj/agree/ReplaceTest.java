package org.ulfmj.agree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.ulfmj.detector.DetectorMessage;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotRuns;
import org.ulfmj.protocol.SlotSet;

class ReplaceTest {
    private static final Contribution SHRINK = new Contribution(Kind.SHRINK, -1, SlotSet.ALL);
    private static final Contribution AGREE = new Contribution(Kind.AGREE, 5, SlotSet.ALL);

    @Test
    void shouldFillTheSlotInThreeAgreementsWhenTheNewcomerComesLater() {
        ReplaceWorld world = new ReplaceWorld(4);
        world.crash(world.member(2));
        world.replaceEverywhere(ReplaceWorld.STRICT);
        world.settle();
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
        assertThat(world.member(0).core.lastAgreement(ReplaceWorld.WORLD)).isEqualTo(3);
        assertThat(world.member(0).outcomes).containsExactly(new ReplaceOutcome.Admitted(newcomer.admission));
    }

    @Test
    void shouldFillTheSlotInTwoAgreementsWhenTheNewcomerWaitsAlready() {
        ReplaceWorld world = new ReplaceWorld(4);
        world.crash(world.member(0));
        world.announceToAll(world.start(0));
        world.settle();
        world.replaceEverywhere(ReplaceWorld.STRICT);
        world.settle();
        assertThat(world.member(1).core.lastAgreement(ReplaceWorld.WORLD)).isEqualTo(2);
        assertThat(world.told()).hasSize(1);
        assertThat(world.holder(0).admission).isEqualTo(world.member(3).admission);
    }

    @Test
    void shouldMakeAWorldOfTheSameMembersWhenNobodyFailed() {
        ReplaceWorld world = new ReplaceWorld(3);
        world.replaceEverywhere(ReplaceWorld.STRICT);
        world.settle();
        assertThat(world.member(0).admission.members().keySet()).containsExactly(0, 1, 2);
        assertThat(world.member(0).core.lastAgreement(ReplaceWorld.WORLD)).isEqualTo(2);
        assertThat(world.member(0).admission.world()).isNotEqualTo(ReplaceWorld.WORLD);
    }

    @Test
    void shouldBeEnoughThatOneHasHeardOfTheNewcomer() {
        ReplaceWorld world = new ReplaceWorld(4);
        world.crash(world.member(3));
        ReplaceWorld.Member newcomer = world.start(3);
        world.announce(newcomer, world.member(1));
        world.settle();
        world.replaceEverywhere(ReplaceWorld.STRICT);
        world.settle();
        assertThat(newcomer.admission).isNotNull().isEqualTo(world.member(0).admission);
    }

    @Test
    void shouldGoOnWithAgreementsOfTheNewWorld() {
        ReplaceWorld world = replacedOnce();
        for (ReplaceWorld.Member member : world.live()) {
            world.enter(member, AGREE);
        }
        world.settle();
        for (ReplaceWorld.Member member : world.live()) {
            assertThat(member.decisions).hasSize(1);
            assertThat(member.decisions.get(0).failed()).isEqualTo(SlotSet.EMPTY);
        }
    }

    @Test
    void shouldForgetTheOldWorldOnlyWhenTheNewOneHasAgreed() {
        ReplaceWorld world = replacedOnce();
        ReplaceWorld.Member survivor = world.member(0);
        assertThat(survivor.core.storedDecision(ReplaceWorld.WORLD, 3)).isNotNull();
        for (ReplaceWorld.Member member : world.live()) {
            world.enter(member, AGREE);
        }
        world.settle();
        assertThat(survivor.core.storedDecision(ReplaceWorld.WORLD, 3)).isNull();
    }

    @Test
    void shouldReplaceTwiceInARow() {
        ReplaceWorld world = replacedOnce();
        world.crash(world.holder(2));
        world.crash(world.member(0));
        world.settle();
        world.replaceEverywhere(ReplaceWorld.STRICT);
        world.settle();
        world.announceToAll(world.start(2));
        world.announceToAll(world.start(0));
        world.settle();
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
        world.announceToAll(world.start(2));
        world.settle();
        assertThat(world.member(1).admission.membership().process(2)).isEqualTo(new ProcessId(2, 2));
        assertThat(world.holder(2).admission.epoch()).isEqualTo(2);
    }

    @Test
    void shouldWaitForTheNextNewcomerWhenTheFirstDiedBeforeAnybodyOfferedIt() {
        ReplaceWorld world = new ReplaceWorld(3);
        world.crash(world.member(2));
        world.replaceEverywhere(ReplaceWorld.STRICT);
        world.settle();
        ReplaceWorld.Member first = world.start(2);
        world.crash(first);
        world.settle();
        world.announceToAll(first);
        world.settle();
        assertThat(world.member(0).outcomes).isEmpty();
        world.announceToAll(world.start(2));
        world.settle();
        assertThat(world.told().get(1L).membership().incarnation(2)).isEqualTo(2);
    }

    @Test
    void shouldTakeASecondFailureWhileWaitingIntoTheSameCall() {
        ReplaceWorld world = new ReplaceWorld(4);
        world.crash(world.member(3));
        world.replaceEverywhere(ReplaceWorld.STRICT);
        world.settle();
        world.crash(world.member(0));
        world.settle();
        assertThat(world.member(1).core.awaitedSlots()).isEqualTo(SlotSet.of(0, 3));
        world.announceToAll(world.start(3));
        world.settle();
        assertThat(world.member(1).outcomes).isEmpty();
        world.announceToAll(world.start(0));
        world.settle();
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
    void shouldFailForEveryoneAndSayWhyWhenNobodyStartsProcessesAnyMore() {
        ReplaceWorld world = new ReplaceWorld(3);
        world.crash(world.member(1));
        world.replaceEverywhere(ReplaceWorld.STRICT);
        world.settle();
        for (ReplaceWorld.Member member : world.live()) {
            member.core.noMore(1, "3 of 3 restarts are used up", 0, member);
        }
        world.settle();
        for (ReplaceWorld.Member member : world.live()) {
            assertThat(member.outcomes)
                    .containsExactly(
                            new ReplaceOutcome.NotReplaced(SlotSet.of(1), "slot 1: 3 of 3 restarts are used up"));
            assertThat(member.core.membership().epoch()).isZero();
        }
        // And the program can still go on without the slot.
        for (ReplaceWorld.Member member : world.live()) {
            world.enter(member, SHRINK);
        }
        world.settle();
        assertThat(world.member(0).decisions.get(0).isOnly(Kind.SHRINK)).isTrue();
    }

    @Test
    void shouldLeaveTheSlotOutWhenNobodyFillsItAndTheTermsAllowIt() {
        ReplaceWorld world = new ReplaceWorld(4);
        world.crash(world.member(1));
        world.crash(world.member(3));
        world.replaceEverywhere(ReplaceWorld.LENIENT);
        world.announceToAll(world.start(3));
        for (ReplaceWorld.Member member : world.live()) {
            member.core.noMore("the launcher is gone", 0, member);
        }
        world.settle();
        for (ReplaceWorld.Member member : world.live()) {
            assertThat(member.admission.members().keySet()).containsExactly(0, 2, 3);
        }
        assertThat(world.live()).hasSize(3);
        // Its next replacement concerns who is in, and nobody else.
        world.replaceEverywhere(ReplaceWorld.STRICT);
        world.settle();
        assertThat(world.member(0).admission.epoch()).isEqualTo(2);
    }

    @Test
    void shouldBeStrictForAllWhenOneIsStrict() {
        ReplaceWorld world = new ReplaceWorld(3);
        world.crash(world.member(2));
        world.member(0).core.noMore(2, "restarts used up", 0, world.member(0));
        world.replace(world.member(0), ReplaceWorld.LENIENT);
        world.replace(world.member(1), ReplaceWorld.STRICT);
        world.settle();
        assertThat(world.member(0).outcomes.get(0)).isInstanceOf(ReplaceOutcome.NotReplaced.class);
        assertThat(world.member(1).outcomes)
                .containsExactly(new ReplaceOutcome.NotReplaced(
                        SlotSet.of(2), "slot 2: another member has been told that nobody is started there any more"));
    }

    @Test
    void shouldGiveUpWhenTheTimeIsOver() {
        ReplaceWorld world = new ReplaceWorld(3);
        world.crash(world.member(0));
        world.replaceEverywhere(ReplaceWorld.STRICT);
        world.settle();
        ReplaceWorld.Member member = world.member(1);
        assertThat(member.core.nextDeadlineNs()).isLessThanOrEqualTo(1_000_000_000L);
        world.pass(1_000_000_000L);
        world.settle();
        assertThat(member.outcomes)
                .containsExactly(
                        new ReplaceOutcome.NotReplaced(SlotSet.of(0), "slot 0: no replacement within 1000 ms"));
        assertThat(world.member(2).outcomes).isEqualTo(member.outcomes);
    }

    @Test
    void shouldTellEveryoneWhenSomeShrinkInstead() {
        ReplaceWorld world = new ReplaceWorld(4);
        world.crash(world.member(3));
        world.replace(world.member(0), ReplaceWorld.STRICT);
        world.replace(world.member(1), ReplaceWorld.STRICT);
        world.enter(world.member(2), SHRINK);
        world.settle();
        ReplaceOutcome.Mixed mixed =
                (ReplaceOutcome.Mixed) world.member(0).outcomes.get(0);
        assertThat(mixed.decision().kinds()).containsOnlyKeys(Kind.REPLACE, Kind.SHRINK);
        assertThat(world.member(1).outcomes).containsExactly(mixed);
        assertThat(world.member(2).decisions).containsExactly(mixed.decision());
    }

    @Test
    void shouldTellEveryoneWhenSomeFinalizeInsteadAndLetNobodyLeave() {
        ReplaceWorld world = new ReplaceWorld(3);
        world.replace(world.member(0), ReplaceWorld.STRICT);
        world.replace(world.member(1), ReplaceWorld.STRICT);
        world.member(2).core.enterFinalize(ReplaceWorld.WORLD, 0, world.member(2));
        world.settle();
        assertThat(world.member(0).outcomes.get(0)).isInstanceOf(ReplaceOutcome.Mixed.class);
        assertThat(world.member(2).core.isLeaving()).isFalse();
    }

    @Test
    void shouldLoseARoundAndNotTheCallWhenSomeCommitMeanwhile() {
        ReplaceWorld world = new ReplaceWorld(3);
        world.crash(world.member(1));
        world.announceToAll(world.start(1));
        world.replace(world.member(0), ReplaceWorld.STRICT);
        world.enter(world.member(2), new Contribution(Kind.COMMIT, 1, SlotSet.ALL, new byte[] {9}));
        world.settle();
        Decision notCommitted = world.member(2).decisions.get(0);
        assertThat(notCommitted.isOnly(Kind.COMMIT)).isFalse();
        assertThat(world.member(0).outcomes).isEmpty();
        world.replace(world.member(2), ReplaceWorld.STRICT);
        world.settle();
        assertThat(world.holder(1).admission).isNotNull().isEqualTo(world.member(0).admission);
        assertThat(world.member(2).admission).isEqualTo(world.member(0).admission);
    }

    @Test
    void shouldRefuseACommunicatorThatIsNotOfAllMembers() {
        ReplaceWorld world = new ReplaceWorld(3);
        ReplaceWorld.Member member = world.member(0);
        member.core.register(5, SlotRuns.of(0, 1), 0, member);
        assertThat(member.core.isOfWholeWorld(5)).isFalse();
        assertThatThrownBy(() -> member.core.replace(5, ReplaceWorld.STRICT, 0, member))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("not of all members");
        ReplaceWorld later = replacedOnce();
        assertThat(later.member(0).core.isOfWholeWorld(later.member(0).world)).isTrue();
    }

    @Test
    void shouldGoOnInTheOldEpochWithOldCommunicators() {
        ReplaceWorld world = new ReplaceWorld(3);
        long old = 0xabc;
        for (ReplaceWorld.Member member : world.live()) {
            member.core.register(old, member.core.membership().slots(), 0, member);
        }
        replaceSlotTwo(world);
        for (int slot = 0; slot < 2; slot++) {
            ReplaceWorld.Member member = world.member(slot);
            assertThat(member.core.membership(old).incarnation(2)).isZero();
            member.core.enter(old, AGREE, 0, member);
        }
        world.settle();
        assertThat(world.member(0).decisions.get(0).failed()).isEqualTo(SlotSet.of(2));
        assertThat(world.member(1).decisions).isEqualTo(world.member(0).decisions);
        // What is made of it later is of its epoch, too.
        for (int slot = 0; slot < 2; slot++) {
            ReplaceWorld.Member member = world.member(slot);
            member.core.register(0xabd, member.core.membership(old).slots(), TreeShape.BINARY, 0, 0, member);
            member.core.enter(0xabd, AGREE, 0, member);
        }
        world.settle();
        assertThat(world.member(1).decisions).hasSize(2);
    }

    @Test
    void shouldFenceANewcomerThatIsToldOfTwoWorlds() {
        ReplaceWorld world = replacedOnce();
        ReplaceWorld.Member newcomer = world.holder(2);
        Admission other = new Admission(1, 12345, newcomer.admission.members());
        newcomer.core.onMessage(
                ProcessId.of(1), new ControlMessage.Welcome(other, SlotSet.of(2), new TreeSet<>()), 0, newcomer);
        assertThat(newcomer.fencedBecause).contains("process 1 is in another world of epoch 1");
    }

    @Test
    void shouldIgnoreASecondWelcomeOfTheSameWorld() {
        ReplaceWorld world = replacedOnce();
        for (ReplaceWorld.Member member : world.live()) {
            member.core.onMessage(
                    ProcessId.of(1),
                    new ControlMessage.Welcome(world.told().get(1L), SlotSet.of(2), new TreeSet<>()),
                    0,
                    member);
            assertThat(member.isLive()).isTrue();
        }
    }

    @Test
    void shouldEndANewcomerWhoseSlotIsHeldByAnother() {
        ReplaceWorld world = replacedOnce();
        ReplaceWorld.Member late = world.start(2);
        late.core.onMessage(
                ProcessId.of(0),
                new ControlMessage.Welcome(world.told().get(1L), SlotSet.of(2), new TreeSet<>()),
                0,
                late);
        assertThat(late.goneBecause).contains("another process in slot 2");
        assertThat(late.core.isFenced()).isTrue();
    }

    @Test
    void shouldEndANewcomerWhenTheWorldFinalizesWithoutIt() {
        ReplaceWorld world = new ReplaceWorld(3);
        ReplaceWorld.Member newcomer = world.start(2);
        newcomer.core.onDeparted(ProcessId.of(0), 0, newcomer);
        assertThat(newcomer.goneBecause).isEqualTo("process 0 has finalized");
    }

    @Test
    void shouldBeatForWhoeverAsksBeforeItIsLetInAndHoldTheRest() {
        ReplaceWorld world = new ReplaceWorld(2);
        world.crash(world.member(1));
        ReplaceWorld.Member newcomer = world.start(1);
        newcomer.introduced.add(ProcessId.of(0));
        newcomer.core.onMessage(
                ProcessId.of(0), new ControlMessage.Detector(new DetectorMessage.Observe()), 0, newcomer);
        newcomer.core.onMessage(ProcessId.of(0), new ControlMessage.ResultRequest(1, 1), 0, newcomer);
        assertThat(world.channel(newcomer.id, ProcessId.of(0)))
                .containsExactly(new ControlMessage.Detector(new DetectorMessage.Heartbeat()));
        assertThat(newcomer.core.isPending()).isTrue();
        assertThat(newcomer.toString()).contains("holds 1");
    }

    @Test
    void shouldHoldWhatSomebodySaysInTheNewWorldBeforeTheWelcomeComes() {
        // Of six, 4 passes its values to 1 and is no neighbour of it: so it speaks to 1'1 without having welcomed it.
        ReplaceWorld world = withNewcomer(6, 1);
        ReplaceWorld.Member newcomer = world.holder(1);
        world.enter(world.member(4), AGREE);
        assertThat(world.channel(ProcessId.of(4), newcomer.id)).hasSize(1);
        world.deliver(ProcessId.of(4), newcomer.id);
        assertThat(newcomer.core.isPending()).isTrue();
        for (int slot : new int[] {0, 2, 3, 5}) {
            world.enter(world.member(slot), AGREE);
        }
        world.settle();
        world.enter(newcomer, AGREE);
        world.settle();
        assertThat(world.live()).hasSize(6).allMatch(member -> member.decisions.size() == 1);
    }

    @Test
    void shouldWelcomeWhoBecomesANeighbourWhenAllThatWereAreDead() {
        ReplaceWorld world = withNewcomer(6, 0);
        ReplaceWorld.Member newcomer = world.holder(0);
        ReplaceWorld.Member last = world.member(3);
        assertThat(world.channel(last.id, newcomer.id)).isEmpty();
        for (int slot : new int[] {1, 2, 4, 5}) {
            world.channel(ProcessId.of(slot), newcomer.id).clear();
            world.crash(world.member(slot));
        }
        world.settle();
        assertThat(newcomer.admission).isEqualTo(last.admission);
    }

    @Test
    void shouldTellANewcomerWhoHasFailedAndNothingOfThoseThatEverybodyKnows() {
        ReplaceWorld world = withNewcomer(4, 2);
        ReplaceWorld.Member newcomer = world.holder(2);
        for (int slot : new int[] {0, 1, 3}) {
            assertThat(world.channel(ProcessId.of(slot), newcomer.id))
                    .noneMatch(message -> message instanceof ControlMessage.Detector detector
                            && detector.message() instanceof DetectorMessage.Obituary);
        }
        world.settle();
        assertThat(newcomer.core.failures().hasFailed(ProcessId.of(2))).isTrue();
        assertThat(newcomer.failed).containsExactly(ProcessId.of(2));
    }

    @Test
    void shouldTellANewcomerOfAMemberThatFailedBeforeItCame() {
        ReplaceWorld world = new ReplaceWorld(4);
        world.crash(world.member(2));
        world.replaceEverywhere(ReplaceWorld.STRICT);
        world.settle();
        ReplaceWorld.Member newcomer = world.start(2);
        world.announceToAll(newcomer);
        // The members are fixed; 3 dies before it confirms.
        for (int step = 0; world.member(3).core.replaceAgreement() < 3; step++) {
            world.deliver(ProcessId.of(step % 2), ProcessId.of(3));
            world.deliver(ProcessId.of(3), ProcessId.of(step % 2));
            world.deliver(ProcessId.of(step % 2), ProcessId.of(1 - step % 2));
        }
        world.crash(world.member(3));
        world.settle();
        assertThat(newcomer.admission.membership().process(3)).isEqualTo(ProcessId.of(3));
        assertThat(newcomer.core.failures().hasFailed(ProcessId.of(3))).isTrue();
        assertThat(newcomer.core.ring().emitter()).isEqualTo(ProcessId.of(1));
        assertThat(world.member(0).core.ring().emitter()).isEqualTo(newcomer.id);
    }

    /** Everything up to the return of the survivors; nothing has reached the newcomer. */
    private static ReplaceWorld withNewcomer(int size, int slot) {
        ReplaceWorld world = new ReplaceWorld(size);
        world.crash(world.member(slot));
        world.replaceEverywhere(ReplaceWorld.STRICT);
        world.settle();
        ReplaceWorld.Member newcomer = world.start(slot);
        world.announceToAll(newcomer);
        world.settleWithout(newcomer);
        assertThat(newcomer.core.isPending()).isTrue();
        assertThat(world.told()).hasSize(1);
        return world;
    }

    private static ReplaceWorld replacedOnce() {
        ReplaceWorld world = new ReplaceWorld(4);
        replaceSlotTwo(world);
        return world;
    }

    private static void replaceSlotTwo(ReplaceWorld world) {
        world.crash(world.member(2));
        world.replaceEverywhere(ReplaceWorld.STRICT);
        world.settle();
        world.announceToAll(world.start(2));
        world.settle();
        assertThat(world.told()).containsOnlyKeys(1L);
    }
}
