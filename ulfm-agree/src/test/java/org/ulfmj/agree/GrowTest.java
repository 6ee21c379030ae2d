package org.ulfmj.agree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.ulfmj.agree.change.ChangeOutcome;
import org.ulfmj.agree.change.GrowTerms;
import org.ulfmj.agree.message.Contact;
import org.ulfmj.agree.message.Contribution;
import org.ulfmj.agree.message.Joiner;
import org.ulfmj.agree.message.Joins;
import org.ulfmj.agree.message.Kind;
import org.ulfmj.detector.Evidence;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotSet;

/** What grow() makes of a world: who is let in, where, and by how many agreements (G1 to G12). */
class GrowTest {
    private static final Contribution AGREE = new Contribution(Kind.AGREE, 5, SlotSet.ALL);
    private static final int MOST = 8;

    @Test
    void shouldReturnTheWorldUnchangedInOneAgreementWhenNoProcessWaits() {
        ReplaceWorld world = new ReplaceWorld(3);
        world.growEverywhere(MOST);
        for (ReplaceWorld.Member member : world.live()) {
            assertThat(member.outcomes).containsExactly(new ChangeOutcome.Unchanged());
            assertThat(member.core.agreements().last(ReplaceWorld.WORLD)).isEqualTo(1);
            assertThat(member.core.membership().epoch()).isZero();
        }
    }

    @Test
    void shouldMakeANewWorldOfTheSameMembersWhenTheirsIsRevoked() {
        ReplaceWorld world = new ReplaceWorld(3);
        ReplaceWorld.Member first = world.member(0);
        first.core.revoke(ReplaceWorld.WORLD, 0, first);
        // The other members call grow before they hear of the revocation.
        world.growEverywhere(MOST);
        for (ReplaceWorld.Member member : world.live()) {
            assertThat(member.admission.members().keySet()).containsExactly(0, 1, 2);
            assertThat(member.admission.world()).isNotEqualTo(ReplaceWorld.WORLD);
            assertThat(member.core.membership().epoch()).isEqualTo(1);
        }
        world.enterEverywhere(AGREE);
        assertThat(first.decisions).hasSize(1);
        world.growEverywhere(MOST);
        assertThat(first.outcomes).endsWith(new ChangeOutcome.Unchanged());
    }

    @Test
    void shouldLetJoinersInByTwoAgreementsInTheOrderOfTheirHosts() {
        ReplaceWorld world = new ReplaceWorld(2);
        Joiner later = world.join(7, 11);
        Joiner earlier = world.join(3, 12);
        world.tellAll(later);
        world.tellAll(earlier);
        world.growEverywhere(MOST);
        assertThat(world.live()).hasSize(4);
        for (ReplaceWorld.Member member : world.live()) {
            assertThat(member.admission.members().keySet()).containsExactly(0, 1, 2, 3);
            assertThat(member.admission.members().get(2).nonce()).isEqualTo(earlier.nonce());
            assertThat(member.admission.members().get(3).nonce()).isEqualTo(later.nonce());
            assertThat(member.core.membership().epoch()).isEqualTo(1);
        }
        assertThat(world.member(0).core.agreements().last(ReplaceWorld.WORLD)).isEqualTo(2);
        world.enterEverywhere(AGREE);
        for (ReplaceWorld.Member member : world.live()) {
            assertThat(member.decisions).hasSize(1);
            assertThat(member.decisions.get(0).failed()).isEqualTo(SlotSet.EMPTY);
        }
    }

    @Test
    void shouldBeEnoughThatOneMemberHasHeardOfTheJoiner() {
        ReplaceWorld world = new ReplaceWorld(4);
        world.tell(world.member(2), world.join(0, 11));
        world.growEverywhere(MOST);
        assertThat(world.member(4).admission).isNotNull().isEqualTo(world.member(0).admission);
    }

    @Test
    void shouldNameTheNewWorldAfterTheCallThatMadeIt() {
        ReplaceWorld grown = new ReplaceWorld(2);
        grown.crash(grown.member(1));
        grown.settle();
        grown.growEverywhere(MOST);
        ReplaceWorld replaced = new ReplaceWorld(2);
        replaced.crash(replaced.member(1));
        replaced.member(0).core.noMore(1, "none is started", 0, replaced.member(0));
        replaced.settle();
        replaced.replaceEverywhere(ReplaceWorld.LENIENT);
        assertThat(grown.member(0).admission.members())
                .isEqualTo(replaced.member(0).admission.members());
        assertThat(grown.member(0).admission.world())
                .isNotEqualTo(replaced.member(0).admission.world());
    }

    @Test
    void shouldLeaveWaitingWhatIsBeyondTheMost() {
        ReplaceWorld world = new ReplaceWorld(2);
        Joiner first = world.join(1, 11);
        Joiner second = world.join(2, 12);
        world.tellAll(second);
        world.tellAll(first);
        world.growEverywhere(3);
        assertThat(world.live()).hasSize(3);
        assertThat(world.member(2).nonce).isEqualTo(first.nonce());
        assertThat(world.member(0).core.waiting(3)).as("the world is full").isZero();
        assertThat(world.member(0).core.waiting(4)).isEqualTo(1);
        world.growEverywhere(3);
        assertThat(world.member(0).outcomes.get(1)).isEqualTo(new ChangeOutcome.Unchanged());
        world.growEverywhere(4);
        assertThat(world.member(3).nonce).isEqualTo(second.nonce());
        assertThat(world.member(3).admission).isEqualTo(world.member(2).admission);
        assertThat(world.member(0).core.waiting(MOST)).isZero();
    }

    @Test
    void shouldNotShrinkAWorldThatHasMoreThanTheMost() {
        ReplaceWorld world = new ReplaceWorld(3);
        world.tellAll(world.join(0, 11));
        world.growEverywhere(1);
        assertThat(world.member(0).outcomes).containsExactly(new ChangeOutcome.Unchanged());
    }

    @Test
    void shouldLeaveTheDeadOutAndLetJoinersInAtOnce() {
        ReplaceWorld world = new ReplaceWorld(3);
        world.tellAll(world.join(0, 11));
        world.crash(world.member(0));
        world.settle();
        world.growEverywhere(3);
        assertThat(world.member(1).admission.members().keySet()).containsExactly(1, 2, 3);
        assertThat(world.member(3).admission).isEqualTo(world.member(1).admission);
    }

    @Test
    void shouldReplaceTheDeadWhereAProcessWaitsForTheSlot() {
        ReplaceWorld world = new ReplaceWorld(3);
        world.tellAll(world.join(0, 11));
        world.crash(world.member(0));
        world.fill(0);
        world.growEverywhere(3);
        assertThat(world.member(1).admission.members().keySet())
                .as("the replacement takes the room of the joiner")
                .containsExactly(0, 1, 2);
        assertThat(world.holder(0).admission).isEqualTo(world.member(1).admission);
        world.growEverywhere(4);
        assertThat(world.member(3).admission.members()).hasSize(4);
    }

    @Test
    void shouldGiveNoSlotTwiceAndNoProcessTwoSlots() {
        ReplaceWorld world = new ReplaceWorld(2);
        Joiner first = world.join(0, 11);
        world.tellAll(first);
        world.growEverywhere(MOST);
        Joiner second = world.join(0, 12);
        world.tellAll(second);
        world.crash(first);
        world.settle();
        world.growEverywhere(MOST);
        assertThat(world.member(0).admission.members().keySet()).containsExactly(0, 1, 3);
        // The launcher tells the newcomer late of a process that has come and gone before it.
        world.member(3).core.waiting(first);
        assertThat(world.member(3).core.waiting(MOST)).isZero();
        world.growEverywhere(MOST);
        assertThat(world.member(0).admission.members().keySet()).containsExactly(0, 1, 3);
        world.crash(second);
        world.settle();
        world.tellAll(world.join(0, 13));
        world.growEverywhere(MOST);
        assertThat(world.member(0).admission.members().keySet()).containsExactly(0, 1, 4);
        assertThat(world.member(0).admission.ancestry().past()).containsExactly(11L, 12L);
        assertThat(world.member(4).admission).isEqualTo(world.member(0).admission);
    }

    @Test
    void shouldLetADeadJoinerInAndReportItByTheNextAgreement() {
        ReplaceWorld world = new ReplaceWorld(2);
        Joiner joiner = world.join(0, 11);
        world.tellAll(joiner);
        world.crash(joiner);
        world.growEverywhere(MOST);
        assertThat(world.member(0).admission.members().keySet()).containsExactly(0, 1, 2);
        world.enterEverywhere(AGREE);
        assertThat(world.member(0).decisions.get(0).failed()).isEqualTo(SlotSet.of(2));
        world.growEverywhere(MOST);
        assertThat(world.member(0).admission.members().keySet()).containsExactly(0, 1);
    }

    @Test
    void shouldChangeNothingWhenAMemberMakesAnotherCall() {
        for (Kind other : new Kind[] {Kind.AGREE, Kind.SHRINK, Kind.COMMIT, Kind.FINALIZE}) {
            ReplaceWorld world = new ReplaceWorld(3);
            world.tellAll(world.join(0, 11));
            world.grow(world.member(0), MOST);
            world.enter(world.member(1), new Contribution(other, -1, SlotSet.ALL));
            world.grow(world.member(2), MOST);
            world.settle();
            for (int slot : new int[] {0, 2}) {
                ChangeOutcome.Mixed mixed =
                        (ChangeOutcome.Mixed) world.member(slot).outcomes.get(0);
                assertThat(mixed.decision().kinds().keySet()).containsExactlyInAnyOrder(Kind.GROW, other);
                assertThat(world.member(slot).core.agreements().last(ReplaceWorld.WORLD))
                        .isEqualTo(1);
            }
            assertThat(world.live()).hasSize(3);
        }
    }

    /**
     * The recovery mode grows the world while member 1 makes a commit: the decision tells that member so, and then it
     * calls grow, too.
     */
    @Test
    void shouldBeginAnewWhenAMemberCommitsInTheRecoveryMode() {
        ReplaceWorld world = new ReplaceWorld(2);
        world.tellAll(world.join(0, 11));
        world.grow(world.member(0), MOST, true);
        world.enter(world.member(1), new Contribution(Kind.COMMIT, -1, SlotSet.ALL));
        world.settle();
        assertThat(world.member(0).outcomes).isEmpty();
        assertThat(world.member(1).decisions.get(0).isOnly(Kind.COMMIT)).isFalse();
        world.grow(world.member(1), MOST, true);
        world.settle();
        for (int slot : new int[] {0, 1}) {
            assertThat(world.member(slot).admission.members().keySet()).containsExactly(0, 1, 2);
        }
    }

    @Test
    void shouldChangeNothingWhenAMemberReplaces() {
        ReplaceWorld world = new ReplaceWorld(2);
        world.grow(world.member(0), MOST);
        world.replace(world.member(1), ReplaceWorld.STRICT);
        world.settle();
        assertThat(world.member(0).outcomes.get(0)).isInstanceOf(ChangeOutcome.Mixed.class);
        assertThat(world.member(1).outcomes.get(0)).isInstanceOf(ChangeOutcome.Mixed.class);
    }

    @Test
    void shouldForgetAJoinerThatDoesNotWaitAnyMore() {
        ReplaceWorld world = new ReplaceWorld(2);
        Joiner joiner = world.join(0, 11);
        world.tellAll(joiner);
        world.live().forEach(member -> member.core.noLongerWaiting(joiner.nonce()));
        world.growEverywhere(MOST);
        assertThat(world.member(0).outcomes).containsExactly(new ChangeOutcome.Unchanged());
    }

    @Test
    void shouldLetInTheFirstJoinersWhenNotAllFitIntoAnAgreement() {
        ReplaceWorld world = new ReplaceWorld(2);
        int fit = Joins.MAX_BYTES / (Contact.MAX_ADDRESS_BYTES + 20);
        for (int i = 0; i < 2 + fit; i++) {
            Joiner wide = world.join(new Joiner(i, 0, 100 + i, new byte[Contact.MAX_ADDRESS_BYTES]));
            world.tell(world.member(i % 2), wide);
        }
        world.growEverywhere(1000);
        assertThat(world.live()).hasSize(2 + fit);
        for (ReplaceWorld.Member member : world.live()) {
            assertThat(member.admission.members().get(2).nonce()).isEqualTo(100);
            assertThat(member.admission.members().get(1 + fit).nonce()).isEqualTo(99 + fit);
        }
        world.growEverywhere(1000);
        assertThat(world.live()).as("the rest comes with the next call").hasSize(4 + fit);
    }

    @Test
    void shouldTakeTheLeastOfTheMostThatMembersName() {
        ReplaceWorld world = new ReplaceWorld(2);
        for (int nonce = 11; nonce < 15; nonce++) {
            world.tellAll(world.join(0, nonce));
        }
        world.grow(world.member(0), 6);
        world.grow(world.member(1), 4);
        world.settle();
        assertThat(world.member(0).admission.members().keySet()).containsExactly(0, 1, 2, 3);
        assertThat(world.member(1).admission).isEqualTo(world.member(0).admission);
    }

    @Test
    void shouldCountAJoinerOnceThatIsAnnouncedAgainFromAnotherPlace() {
        ReplaceWorld world = new ReplaceWorld(2);
        world.tellAll(world.join(4, 11));
        world.tellAll(world.join(3, 11));
        world.tell(world.member(1), world.join(2, 11));
        assertThat(world.member(0).core.waiting(MOST)).isEqualTo(1);
        world.growEverywhere(MOST);
        assertThat(world.member(0).admission.members().keySet()).containsExactly(0, 1, 2);
    }

    @Test
    void shouldHearOfEndsByNonce() {
        ReplaceWorld world = new ReplaceWorld(2);
        Joiner joiner = world.join(0, 11);
        world.tellAll(joiner);
        world.growEverywhere(MOST);
        SurvivorCore core = world.member(0).core;
        Evidence evidence = new Evidence(Evidence.Kind.SUSPECTED, ProcessId.of(0), "ended");
        core.onEnd(12, evidence, 0, world.member(0));
        assertThat(core.failures().hasFailed(ProcessId.of(2)))
                .as("another process that a world gave this number")
                .isFalse();
        core.onEnd(11, evidence, 0, world.member(0));
        assertThat(core.failures().hasFailed(ProcessId.of(2))).isTrue();
        core.waiting(new Joiner(0, 0, 12, new byte[0]));
        assertThat(core.waiting(MOST)).as("its end was told before").isZero();
    }

    @Test
    void shouldRememberTheEndOfAProcessThatALaterWorldHas() {
        ReplaceWorld world = new ReplaceWorld(2);
        Joiner joiner = world.join(0, 11);
        world.tell(world.member(1), joiner);
        Evidence evidence = new Evidence(Evidence.Kind.SUSPECTED, ProcessId.of(0), "ended");
        world.member(0).core.onEnd(11, evidence, 0, world.member(0));
        world.growEverywhere(MOST);
        assertThat(world.member(0).admission.members().keySet()).containsExactly(0, 1, 2);
        assertThat(world.member(0).core.failures().hasFailed(ProcessId.of(2))).isTrue();
    }

    @Test
    void shouldTakeNotMeForTheFailureOfAMember() {
        ReplaceWorld world = new ReplaceWorld(2);
        world.tellAll(world.join(0, 11));
        world.growEverywhere(MOST);
        SurvivorCore core = world.member(0).core;
        core.onNotMe(ProcessId.of(2), 12, 0, world.member(0));
        assertThat(core.failures().hasFailed(ProcessId.of(2)))
                .as("the member of this name is another process")
                .isFalse();
        core.onNotMe(ProcessId.of(2), 11, 0, world.member(0));
        assertThat(core.failures().hasFailed(ProcessId.of(2))).isTrue();
    }

    /**
     * A process with nonce 11 has denied the name 2, but the decision that gave it the name is lost with the members
     * that had it. The next decision gives the name to the process with nonce 12, which must not be taken for failed.
     */
    @Test
    void shouldNotTakeNotMeOfAWorldThatNeverCameForTheFailureOfAnotherProcess() {
        ReplaceWorld world = new ReplaceWorld(2);
        for (ReplaceWorld.Member member : world.live()) {
            member.core.onNotMe(ProcessId.of(2), 11, 0, member);
        }
        world.tellAll(world.join(0, 12));
        world.growEverywhere(MOST);
        assertThat(world.member(2).nonce).isEqualTo(12);
        assertThat(world.live())
                .hasSize(3)
                .allMatch(member -> !member.core.failures().hasFailed(ProcessId.of(2)));
    }

    @Test
    void shouldRememberNotMeUntilTheDecisionComesThatGaveTheName() {
        ReplaceWorld world = new ReplaceWorld(2);
        Joiner joiner = world.join(0, 11);
        world.tellAll(joiner);
        world.member(1).core.onNotMe(ProcessId.of(2), 11, 0, world.member(1));
        world.growEverywhere(MOST);
        assertThat(world.member(1).core.failures().hasFailed(ProcessId.of(2))).isTrue();
    }

    @Test
    void shouldAskForTheAddressOfEachFounderOnceHoweverManyEnd() {
        ReplaceWorld world = new ReplaceWorld(4);
        ReplaceWorld.Member member = world.member(0);
        Evidence evidence = new Evidence(Evidence.Kind.SUSPECTED, ProcessId.of(0), "ended");
        for (int slot = 1; slot < 4; slot++) {
            member.core.onEnd(ReplaceWorld.nonceOf(ProcessId.of(slot)), evidence, 0, member);
        }
        assertThat(member.core.failures().failedInOrder()).hasSize(3);
        assertThat(member.contactsAsked).isEqualTo(4);
    }

    @Test
    void shouldRefuseAWorldOfNoMember() {
        assertThatThrownBy(() -> new GrowTerms(0)).hasMessageContaining("0").hasMessageContaining("at least 1");
    }

    @Test
    void shouldNotTakeAFounderForAJoinerOfItsSlot() {
        ReplaceWorld world = new ReplaceWorld(2);
        world.tellAll(new Joiner(0, 0, ReplaceWorld.nonceOf(ProcessId.of(1)), new byte[0]));
        world.growEverywhere(MOST);
        assertThat(world.member(0).outcomes).containsExactly(new ChangeOutcome.Unchanged());
    }
}
