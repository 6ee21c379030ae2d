package org.ulfmj.agree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ulfmj.agree.ReplacedWorlds.replacedOnce;
import static org.ulfmj.agree.ReplacedWorlds.replacing;

import org.junit.jupiter.api.Test;
import org.ulfmj.agree.change.ChangeOutcome;
import org.ulfmj.agree.message.Contact;
import org.ulfmj.agree.message.Contribution;
import org.ulfmj.agree.message.Decision;
import org.ulfmj.agree.message.Kind;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotRuns;
import org.ulfmj.protocol.SlotSet;

/** Tests calls of replace() that do not fill all slots, that not all members make, or that are refused. */
class ReplaceInVainTest {
    private static final Contribution SHRINK = new Contribution(Kind.SHRINK, -1, SlotSet.ALL);

    @Test
    void shouldFailForAllAndSayWhyWhenNoProcessesAreStartedAnyMore() {
        ReplaceWorld world = replacing(3, 1);
        for (ReplaceWorld.Member member : world.live()) {
            member.core.noMore(1, "3 of 3 restarts are used up", 0, member);
        }
        world.settle();
        for (ReplaceWorld.Member member : world.live()) {
            assertThat(member.outcomes)
                    .containsExactly(
                            new ChangeOutcome.Incomplete(SlotSet.of(1), false, "slot 1: 3 of 3 restarts are used up"));
            assertThat(member.core.membership().epoch()).isZero();
        }
        // After this outcome the program can still shrink, and go on without the slot.
        world.enterEverywhere(SHRINK);
        assertThat(world.member(0).decisions.get(0).isOnly(Kind.SHRINK)).isTrue();
    }

    @Test
    void shouldLeaveTheSlotOutWhenItIsNotFilledAndTheTermsAllowIt() {
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
        // The slot that was left out is no slot of the new world, so the next replace() of this world does not wait for
        // it.
        world.replaceStrictly();
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
        assertThat(world.member(0).outcomes.get(0)).isInstanceOf(ChangeOutcome.Incomplete.class);
        assertThat(world.member(1).outcomes)
                .containsExactly(new ChangeOutcome.Incomplete(
                        SlotSet.of(2),
                        false,
                        "slot 2: another member has been told that no process is started there any more"));
    }

    @Test
    void shouldGiveUpWhenTheTimeIsOver() {
        ReplaceWorld world = replacing(3, 0);
        ReplaceWorld.Member member = world.member(1);
        assertThat(member.core.nextDeadlineNs()).isLessThanOrEqualTo(1_000_000_000L);
        world.pass(1_000_000_000L);
        world.settle();
        assertThat(member.outcomes)
                .containsExactly(
                        new ChangeOutcome.Incomplete(SlotSet.of(0), true, "slot 0: no replacement within 1000 ms"));
        assertThat(world.member(2).outcomes).isEqualTo(member.outcomes);
    }

    @Test
    void shouldTellAllMembersWhenSomeShrinkInstead() {
        ReplaceWorld world = new ReplaceWorld(4);
        world.crash(world.member(3));
        world.replace(world.member(0), ReplaceWorld.STRICT);
        world.replace(world.member(1), ReplaceWorld.STRICT);
        world.enter(world.member(2), SHRINK);
        world.settle();
        ChangeOutcome.Mixed mixed =
                (ChangeOutcome.Mixed) world.member(0).outcomes.get(0);
        assertThat(mixed.decision().kinds()).containsOnlyKeys(Kind.REPLACE, Kind.SHRINK);
        assertThat(world.member(1).outcomes).containsExactly(mixed);
        assertThat(world.member(2).decisions).containsExactly(mixed.decision());
    }

    @Test
    void shouldTellAllWhenSomeFinalizeInsteadAndLetNoneLeave() {
        ReplaceWorld world = new ReplaceWorld(3);
        world.replace(world.member(0), ReplaceWorld.STRICT);
        world.replace(world.member(1), ReplaceWorld.STRICT);
        world.member(2).core.enterFinalize(ReplaceWorld.WORLD, 0, world.member(2));
        world.settle();
        assertThat(world.member(0).outcomes.get(0)).isInstanceOf(ChangeOutcome.Mixed.class);
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
    void shouldFailTheCallAndNoRankWhenThoseThatWaitDoNotFitIntoAnOffer() {
        ReplaceWorld world = new ReplaceWorld(100);
        ReplaceWorld.Member survivor = world.member(0);
        for (int slot = 1; slot < 100; slot++) {
            world.crash(world.member(slot));
            world.tellDeath(survivor, world.member(slot));
            Contact waiting = new Contact(new ProcessId(slot, 1), 1, new byte[Contact.MAX_ADDRESS_BYTES]);
            survivor.core.pending(waiting, 0, survivor);
        }
        world.replace(survivor, ReplaceWorld.STRICT);
        world.settle();
        ChangeOutcome.Incomplete outcome = (ChangeOutcome.Incomplete) survivor.outcomes.get(0);
        assertThat(outcome.why()).contains("more than the 98304 bytes that fit into an agreement");
        assertThat(survivor.isLive()).isTrue();
    }
}
