package org.ulfmj.agree;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.ulfmj.agree.message.Contribution;
import org.ulfmj.agree.message.Kind;
import org.ulfmj.protocol.SlotSet;

/** After replacements a majority of the processes of the present world decides, and not of the first world. */
class QuorumOverReplacesTest {
    private static final long DUPLICATE = 0xd0;
    private static final Contribution AGREE = new Contribution(Kind.AGREE, 5, SlotSet.ALL);

    @Test
    void shouldLetTheLastFounderAgreeOnAnOldCommunicatorWhenAllOthersWereReplaced() {
        ReplaceWorld world = worldOfThreeWithDuplicate();
        replace(world, 2);
        replace(world, 1);
        ReplaceWorld.Member last = world.member(0);
        last.core.enter(DUPLICATE, AGREE, 0, last);
        world.settle();
        assertThat(last.fencedBecause).isNull();
        assertThat(last.decisions).hasSize(1);
        assertThat(last.decisions.get(0).failed()).isEqualTo(SlotSet.of(1, 2));
    }

    /**
     * The call was still open when the second member died. When that world is replaced, the majority that the call
     * needed at its entry is needed no longer.
     */
    @Test
    void shouldDecideACallThatWasLeftOpenWhenItsWorldIsReplaced() {
        ReplaceWorld world = worldOfThreeWithDuplicate();
        replace(world, 2);
        ReplaceWorld.Member last = world.member(0);
        last.core.enter(DUPLICATE, new Contribution(Kind.IAGREE, 5, SlotSet.EMPTY), 0, last);
        world.settle();
        replace(world, 1);
        assertThat(last.fencedBecause).isNull();
        assertThat(last.decisions).hasSize(1);
    }

    @Test
    void shouldStillAskForAMajorityOfTheWorldAsItIsNow() {
        ReplaceWorld world = worldOfThreeWithDuplicate();
        replace(world, 2);
        replace(world, 1);
        ReplaceWorld.Member last = world.member(0);
        for (int slot = 1; slot < 3; slot++) {
            world.crash(world.holder(slot));
            world.tellDeath(last, world.holder(slot));
        }
        world.enter(last, AGREE);
        world.settle();
        assertThat(last.fencedBecause).contains("of the 3 processes", "1 are left on this side");
    }

    private static ReplaceWorld worldOfThreeWithDuplicate() {
        ReplaceWorld world = new ReplaceWorld(3, true);
        world.registerEverywhere(DUPLICATE);
        return world;
    }

    private static void replace(ReplaceWorld world, int slot) {
        world.crash(world.holder(slot));
        world.replaceStrictly();
        world.fill(slot);
        assertThat(world.member(0).core.membership().process(slot)).isEqualTo(world.holder(slot).id);
    }
}
