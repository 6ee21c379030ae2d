package org.ulfmj.agree;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.ulfmj.agree.message.Contribution;
import org.ulfmj.agree.message.Joiner;
import org.ulfmj.agree.message.Kind;
import org.ulfmj.protocol.SlotSet;

/** Processes that were let in count for the majority once their world has agreed, and not before. */
class QuorumOverGrowTest {
    private static final Contribution AGREE = new Contribution(Kind.AGREE, 5, SlotSet.ALL);
    private static final int MOST = 8;

    @Test
    void shouldNotCountJoinersThatAreDeadOnArrival() {
        ReplaceWorld world = new ReplaceWorld(2, true);
        for (int i = 0; i < 5; i++) {
            Joiner joiner = world.join(0, 11 + i);
            world.tellAll(joiner);
            world.crash(joiner);
        }
        world.growEverywhere(MOST);
        world.enterEverywhere(AGREE);
        for (ReplaceWorld.Member member : List.of(world.member(0), world.member(1))) {
            assertThat(member.fencedBecause).isNull();
            assertThat(member.decisions.get(0).failed()).isEqualTo(SlotSet.of(2, 3, 4, 5, 6));
        }
    }

    @Test
    void shouldNotLetJoinersAloneDecideTheFirstAgreement() {
        ReplaceWorld world = new ReplaceWorld(2, true);
        for (int i = 0; i < 3; i++) {
            world.tellAll(world.join(0, 11 + i));
        }
        world.growEverywhere(MOST);
        List<ReplaceWorld.Member> joiners = List.of(world.member(2), world.member(3), world.member(4));
        for (ReplaceWorld.Member member : List.of(world.member(0), world.member(1))) {
            world.crash(member);
            joiners.forEach(joiner -> world.tellDeath(joiner, member));
        }
        world.enterEverywhere(AGREE);
        assertThat(world.member(2).fencedBecause).contains("of the 2 processes", "0 are left on this side");
    }

    @Test
    void shouldCountJoinersOnceTheirWorldHasAgreed() {
        ReplaceWorld world = new ReplaceWorld(2, true);
        world.tellAll(world.join(0, 11));
        world.growEverywhere(MOST);
        world.enterEverywhere(AGREE);
        ReplaceWorld.Member last = world.member(0);
        for (int slot = 1; slot < 3; slot++) {
            world.crash(world.member(slot));
            world.tellDeath(last, world.member(slot));
        }
        world.enter(last, AGREE);
        world.settle();
        assertThat(last.fencedBecause).contains("of the 3 processes", "1 are left on this side");
    }
}
