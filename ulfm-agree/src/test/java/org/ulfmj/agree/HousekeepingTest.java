package org.ulfmj.agree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ulfmj.agree.ReplacedWorlds.replaceSlotTwo;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.ulfmj.agree.message.Contribution;
import org.ulfmj.agree.message.ControlMessage;
import org.ulfmj.agree.message.Kind;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotRuns;
import org.ulfmj.protocol.SlotSet;

/** Housekeeping forgets a freed communicator when no process keeps it, and not before. */
class HousekeepingTest {
    private static final long MADE = 0xd0;
    private static final long OTHER = 0xd1;
    private static final int RANKS = 4;
    private static final Contribution AGREE = new Contribution(Kind.AGREE, -1, SlotSet.ALL);

    private final Crowd crowd = new Crowd(RANKS);

    /** Sets these ranks to begin a list as soon as they have freed this number of communicators. */
    private void keepHouseAt(int freed, int... slots) {
        for (int slot : slots) {
            crowd.member(slot).core.keepHouseAt(freed);
        }
    }

    private void free(int slot, long communicator) {
        crowd.member(slot).core.freed(communicator, 0, crowd.member(slot)::send);
    }

    private void revoke(int slot, long communicator) {
        crowd.member(slot).core.revoke(communicator, 0, crowd.member(slot)::send);
    }

    private boolean isForgotten(int slot, long communicator) {
        return crowd.member(slot).core.hasForgotten(communicator);
    }

    @Test
    void shouldForgetWhatAllHaveFreedDecisionsAndRevocationToo() {
        keepHouseAt(1, 3);
        for (int slot = 0; slot < RANKS; slot++) {
            crowd.register(slot, MADE);
            crowd.enterOn(MADE, slot, AGREE);
        }
        revoke(1, MADE);
        crowd.settle();
        ControlMessage late = new ControlMessage.Revoke(MADE, 0, SlotRuns.range(RANKS), 1);
        for (int slot = 0; slot < RANKS; slot++) {
            free(slot, MADE);
        }
        assertThat(crowd.member(0).core.agreements().storedDecision(MADE, 1))
                .as("before the list has come")
                .isNotNull();
        crowd.settle();
        for (int slot = 0; slot < RANKS; slot++) {
            assertThat(isForgotten(slot, MADE)).isTrue();
            assertThat(crowd.member(slot).core.agreements().storedDecision(MADE, 1))
                    .isNull();
            assertThat(crowd.member(slot).core.isRevoked(MADE)).isFalse();
            assertThat(crowd.member(slot).core.freedAndForgotten())
                    .as("a tombstone")
                    .isEqualTo(1);
        }
        crowd.member(0).core.onMessage(ProcessId.of(1), late, 0, crowd.member(0)::send);
        assertThat(crowd.member(0).core.isRevoked(MADE)).as("by a late message").isFalse();
    }

    @Test
    void shouldKeepTheRevocationForAMemberThatIsSlowToMakeIt() {
        keepHouseAt(1, 0);
        for (int slot = 0; slot < RANKS - 1; slot++) {
            crowd.register(slot, MADE);
        }
        revoke(0, MADE);
        for (int slot = 0; slot < RANKS - 1; slot++) {
            free(slot, MADE);
        }
        crowd.settle();
        assertThat(isForgotten(0, MADE)).isFalse();
        crowd.register(3, MADE);
        assertThat(crowd.member(3).revoked).containsExactly(MADE);
        free(3, MADE);
        // The communicator that was named in vain is named again in the list with the next one.
        for (int slot = 0; slot < RANKS; slot++) {
            crowd.register(slot, OTHER);
            free(slot, OTHER);
        }
        crowd.settle();
        for (int slot = 0; slot < RANKS; slot++) {
            assertThat(isForgotten(slot, MADE)).isTrue();
        }
    }

    @Test
    void shouldKeepWhatIsFreedWithAnAgreementUnderWay() {
        keepHouseAt(1, 0);
        for (int slot = 0; slot < RANKS; slot++) {
            crowd.register(slot, MADE);
            crowd.enterOn(MADE, slot, new Contribution(Kind.IAGREE, -1, SlotSet.ALL));
        }
        // All ranks but 3 decide the agreement, and all ranks free the communicator. Rank 3 still lacks the decision.
        for (int round = 0; round < RANKS; round++) {
            for (int from = 0; from < RANKS; from++) {
                for (int to = 0; to < RANKS - 1; to++) {
                    crowd.deliverAll(from, to);
                }
            }
        }
        assertThat(crowd.member(0).core.agreements().storedDecision(MADE, 1)).isNotNull();
        free(3, MADE);
        for (int slot = 0; slot < RANKS - 1; slot++) {
            free(slot, MADE);
        }
        int parent = 1;
        crowd.channel(parent, 3).removeIf(ControlMessage.Down.class::isInstance);
        crowd.crash(parent);
        crowd.settle();
        assertThat(crowd.member(3).decisionsElsewhere).containsKey(MADE);
    }

    @Test
    void shouldKeepTheListsOfTwoInitiatorsApart() {
        keepHouseAt(1, 1, 2);
        for (int slot = 0; slot < RANKS; slot++) {
            crowd.register(slot, MADE);
            crowd.register(slot, OTHER);
        }
        free(1, MADE);
        free(2, OTHER);
        free(0, OTHER);
        free(3, OTHER);
        free(1, OTHER);
        crowd.settle();
        for (int slot = 0; slot < RANKS; slot++) {
            assertThat(isForgotten(slot, MADE)).as("0, 2 and 3 have it").isFalse();
            assertThat(isForgotten(slot, OTHER)).isTrue();
        }
    }

    @Test
    void shouldEndAListWhoseInitiatorHasDied() {
        keepHouseAt(1, 0);
        for (int slot = 0; slot < RANKS; slot++) {
            crowd.register(slot, MADE);
        }
        for (int slot = RANKS - 1; slot >= 0; slot--) {
            free(slot, MADE);
        }
        crowd.deliver(0, 2);
        crowd.channel(0, 1).clear();
        crowd.channel(0, 3).clear();
        crowd.crash(0);
        crowd.settle();
        for (int slot = 1; slot < RANKS; slot++) {
            assertThat(isForgotten(slot, MADE)).isTrue();
        }
    }

    @Test
    void shouldBeginAnewInTheNextEpochWhatTheLastOneLeftOpen() {
        ReplaceWorld world = new ReplaceWorld(4);
        world.registerEverywhere(MADE);
        ReplaceWorld.Member initiator = world.member(0);
        initiator.core.keepHouseAt(1);
        initiator.core.freed(MADE, 0, initiator);
        List<ProcessId> others = List.of(ProcessId.of(1), ProcessId.of(2), ProcessId.of(3));
        for (ProcessId each : others) {
            world.channel(initiator.id, each).removeIf(ControlMessage.FreedList.class::isInstance);
            world.member(each).core.freed(MADE, 0, world.member(each));
        }
        replaceSlotTwo(world);
        for (ReplaceWorld.Member member : world.live()) {
            assertThat(member.core.hasForgotten(MADE)).isEqualTo(!member.id.equals(new ProcessId(2, 1)));
        }
    }

    /**
     * The communicator that a list of the last epoch named is named at once in the next one, although one communicator
     * is too few for a list otherwise.
     */
    @Test
    void shouldNameAtOnceInTheNextEpochWhatAListOfTheLastOneNamed() {
        ReplaceWorld world = new ReplaceWorld(4);
        world.registerEverywhere(MADE);
        ReplaceWorld.Member initiator = world.member(0);
        initiator.core.keepHouseAt(1);
        initiator.core.freed(MADE, 0, initiator);
        initiator.core.keepHouseAt(1_000);
        for (int slot = 1; slot < 4; slot++) {
            ReplaceWorld.Member other = world.member(slot);
            world.channel(initiator.id, other.id).removeIf(ControlMessage.FreedList.class::isInstance);
            other.core.freed(MADE, 0, other);
        }
        replaceSlotTwo(world);
        for (ReplaceWorld.Member member : world.live()) {
            assertThat(member.core.hasForgotten(MADE)).isEqualTo(!member.id.equals(new ProcessId(2, 1)));
        }
    }

    @Test
    void shouldComeToAnEndWhenMoreIsKeptElsewhereThanAListHasRoomFor() {
        int many = 3_000;
        for (int made = 0; made < many; made++) {
            for (int slot = 0; slot < RANKS; slot++) {
                crowd.register(slot, MADE + made);
                crowd.enterOn(MADE + made, slot, AGREE);
            }
        }
        crowd.settle();
        for (int made = 0; made < many; made++) {
            free(0, MADE + made);
        }
        keepHouseAt(1, 0);
        crowd.register(0, MADE + many);
        free(0, MADE + many);
        int sentBefore = crowd.sent;
        for (int round = 0; round < 1_000 && crowd.sent - sentBefore < 1_000; round++) {
            for (int from = 0; from < RANKS; from++) {
                for (int to = 0; to < RANKS; to++) {
                    crowd.deliverAll(from, to);
                }
            }
        }
        assertThat(crowd.sent - sentBefore).as("messages of a few lists").isLessThan(200);
    }
}
