package org.ulfmj.agree;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Random schedules of Finalize over real cores: crashes, false suspicions, leaving processes that end and whose last
 * messages may be lost, and a launcher that tells the others of their departure, or does not.
 */
class DepartureScheduleTest {
    private static final int SEEDS = Integer.getInteger("ulfm.test.seeds", 1_000);

    @Test
    void shouldLetAllGoAndNoneLeaveBeforeAllHaveCalled() {
        for (int seed = 0; seed < SEEDS; seed++) {
            try {
                new Run(seed).toTheEnd();
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
            }
        }
    }

    private static final class Run {
        final Random random;
        final int size;
        final Crowd crowd;
        final boolean[] called;
        final boolean[] left;
        int crashes;
        int suspicions;
        int decided;

        Run(int seed) {
            random = new Random(seed);
            size = 2 + random.nextInt(8);
            crowd = new Crowd(size);
            called = new boolean[size];
            left = new boolean[size];
            crashes = random.nextInt(size);
            suspicions = random.nextInt(3);
        }

        void toTheEnd() {
            for (int step = 0; step < 80 * size; step++) {
                step();
                int deciders = countDeciders();
                if (deciders > decided) {
                    decided = deciders;
                    checkNoneLeftEarly();
                }
            }
            for (int slot = 0; slot < size; slot++) {
                call(slot);
            }
            crowd.settle();
            for (Crowd.Member member : crowd.members) {
                assertThat(!member.isLive() || member.core.isLeaving())
                        .as(
                                "process %s leaves: %s",
                                member.id, member.core.agreements().describe(Crowd.COMM, 1))
                        .isTrue();
            }
        }

        void step() {
            int one = random.nextInt(size);
            int other = random.nextInt(size);
            int what = random.nextInt(100);
            if (what < 55) {
                crowd.deliver(one, other);
            } else if (what < 65) {
                call(one);
            } else if (what < 85) {
                learn(one, other);
            } else if (what < 90
                    && crowd.member(one).isLive()
                    && crowd.member(one).core.isLeaving()) {
                left[one] = true;
                crowd.leave(one, random.nextBoolean() ? Integer.MAX_VALUE : random.nextInt(3));
            } else if (what < 93 && crashes > 0) {
                crashes--;
                if (random.nextBoolean()) {
                    crowd.crash(one);
                } else {
                    crowd.crashAfterSends(one, random.nextInt(4));
                }
            } else if (what < 95 && suspicions > 0 && one != other) {
                suspicions--;
                crowd.suspect(one, other);
            }
        }

        void call(int slot) {
            if (!called[slot] && crowd.member(slot).isLive()) {
                called[slot] = true;
                crowd.finish(slot);
            }
        }

        void learn(int slot, int dead) {
            if (slot == dead || crowd.member(dead).isLive()) {
                return;
            }
            if (left[dead] && random.nextBoolean()) {
                crowd.tellDeparted(slot, dead);
            } else {
                crowd.tellDeathBeforeDraining(slot, dead);
            }
            if (random.nextBoolean()) {
                crowd.drained(slot, dead);
            }
        }

        int countDeciders() {
            int count = 0;
            for (Crowd.Member member : crowd.members) {
                count += member.decisions.size();
            }
            return count;
        }

        /**
         * Checks that no live process is leaving while another one has not called Finalize; excluded processes do not
         * count.
         */
        void checkNoneLeftEarly() {
            boolean leaving = false;
            for (Crowd.Member member : crowd.core()) {
                leaving |= member.core.isLeaving();
            }
            for (Crowd.Member member : crowd.core()) {
                assertThat(leaving && !called[member.id.slot()])
                        .as("%s is in while another leaves", member.id)
                        .isFalse();
            }
        }
    }
}
