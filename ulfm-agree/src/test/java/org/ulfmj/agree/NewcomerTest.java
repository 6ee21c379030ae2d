package org.ulfmj.agree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ulfmj.agree.ReplacedWorlds.replacedOnce;
import static org.ulfmj.agree.ReplacedWorlds.replacing;
import static org.ulfmj.agree.ReplacedWorlds.withNewcomer;

import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.ulfmj.agree.message.Admission;
import org.ulfmj.agree.message.Contact;
import org.ulfmj.agree.message.Contribution;
import org.ulfmj.agree.message.ControlMessage;
import org.ulfmj.agree.message.Kind;
import org.ulfmj.detector.DetectorMessage;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotSet;

/** The newcomer's side of a replacement: what a newcomer does and is told before it is let in, then, and later. */
class NewcomerTest {
    private static final Contribution AGREE = new Contribution(Kind.AGREE, 5, SlotSet.ALL);

    @Test
    void shouldBeatForEachProcessThatAsksBeforeItIsLetInAndHoldTheRest() {
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
    void shouldHoldWhatAMemberSaysInTheNewWorldBeforeTheWelcomeComes() {
        // Among six members, 4 sends its values to 1 and is no neighbour of 1 in the overlay. So it sends a message to
        // 1'1, the replacement of 1, without having welcomed it.
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
    void shouldTellANewcomerWhichProcessesFailedAndNothingOfThoseThatAllKnow() {
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
        ReplaceWorld world = replacing(4, 2);
        ReplaceWorld.Member newcomer = world.start(2);
        world.announceToAll(newcomer);
        // The members are fixed. Then 3 dies before it has the decision that confirms them.
        for (int step = 0; world.member(3).core.changeAgreement() < 3; step++) {
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
    void shouldFenceANewcomerThatIsToldOfTwoWorlds() {
        ReplaceWorld world = replacedOnce();
        ReplaceWorld.Member newcomer = world.holder(2);
        Admission other = new Admission(1, 12345, newcomer.admission.members());
        newcomer.core.onMessage(
                ProcessId.of(1), new ControlMessage.Welcome(other, SlotSet.of(2), new TreeSet<>()), 0, newcomer);
        assertThat(newcomer.fencedBecause).contains("process 1 is in another world of epoch 1");
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
    void shouldTakeNothingOfAnEarlierWorldOnceItIsInTheOneThatTheLauncherHasGathered() {
        // Process 0 had returned from replace() alone and welcomed 1'1, the replacement of 1. Then all processes of
        // that world but 1'1 died, and the launcher gathered a new world, with 1'1 in it.
        ReplaceWorld world = new ReplaceWorld(3);
        ReplaceWorld.Member newcomer = world.start(1);
        SortedMap<Integer, Contact> before = new TreeMap<>();
        SortedMap<Integer, Contact> members = new TreeMap<>();
        for (int slot = 0; slot < 3; slot++) {
            ProcessId present = slot == 1 ? newcomer.id : world.start(slot).id;
            members.put(slot, ReplaceWorld.contact(present));
            before.put(slot, slot == 1 ? members.get(1) : ReplaceWorld.contact(ProcessId.of(slot)));
        }
        ControlMessage kept =
                new ControlMessage.Welcome(new Admission(1, 0x01d, before), SlotSet.of(1), new TreeSet<>());
        Admission gathered = new Admission(1, 0xa11, members);
        newcomer.core.onMessage(
                newcomer.id, new ControlMessage.Welcome(gathered, SlotSet.EMPTY, new TreeSet<>()), 0, newcomer);
        newcomer.core.onMessage(ProcessId.of(0), kept, 0, newcomer);
        assertThat(newcomer.fencedBecause).isNull();
        assertThat(newcomer.admission).isEqualTo(gathered);
        assertThat(newcomer.failed).contains(ProcessId.of(0), ProcessId.of(2));
    }
}
