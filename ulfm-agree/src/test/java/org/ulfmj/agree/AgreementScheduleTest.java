package org.ulfmj.agree;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.ulfmj.agree.message.Contribution;
import org.ulfmj.agree.message.Decision;
import org.ulfmj.agree.message.Kind;
import org.ulfmj.protocol.SlotSet;

/**
 * Random schedules over real cores: messages of different channels in any order, crashes between two messages of a
 * step, deaths and false suspicions that each process learns of at another time. The simulator does the same at length;
 * this is the part of it that runs with the module's own tests.
 */
class AgreementScheduleTest {
    private static final int SEEDS = Integer.getInteger("ulfm.test.seeds", 1_000);

    @Test
    void shouldDecideAlikeUnderAnyDeliveriesAndCrashes() {
        for (int seed = 0; seed < SEEDS; seed++) {
            run(seed, 0);
        }
    }

    @Test
    void shouldDecideAlikeAmongThoseThatWereNotExcludedWhenSuspicionsAreFalse() {
        for (int seed = 0; seed < SEEDS; seed++) {
            run(seed, 1 + seed % 2);
        }
    }

    private static void run(int seed, int suspicions) {
        try {
            new Run(seed, suspicions).toTheEnd();
        } catch (RuntimeException | AssertionError e) {
            throw new AssertionError("seed " + seed + " with " + suspicions + " suspicions: " + e.getMessage(), e);
        }
    }

    private static final class Run {
        final Random random;
        final int size;
        final int calls;
        final boolean overlapping;
        final Crowd crowd;
        int crashes;
        int suspicions;
        final int[] entered;

        Run(int seed, int suspicions) {
            this.random = new Random(seed);
            this.size = 2 + random.nextInt(8);
            this.calls = 1 + random.nextInt(3);
            this.overlapping = random.nextInt(4) == 0;
            this.crashes = random.nextInt(size);
            this.suspicions = suspicions;
            this.crowd = new Crowd(size);
            this.entered = new int[size];
        }

        void toTheEnd() {
            for (int step = 0; step < 60 * size; step++) {
                step();
            }
            boolean busy = true;
            while (busy) {
                crowd.settle();
                busy = false;
                for (int slot = 0; slot < size; slot++) {
                    busy |= enter(slot);
                }
            }
            check();
        }

        void step() {
            int one = random.nextInt(size);
            int other = random.nextInt(size);
            int what = random.nextInt(100);
            if (what < 55) {
                crowd.deliver(one, other);
            } else if (what < 70) {
                enter(one);
            } else if (what < 90) {
                learn(one, other);
            } else if (what < 93 && crashes > 0) {
                crashes--;
                if (random.nextBoolean()) {
                    crowd.crash(one);
                } else {
                    crowd.crashAfterSends(one, random.nextInt(3));
                }
            } else if (what < 94 && suspicions > 0 && one != other) {
                suspicions--;
                crowd.suspect(one, other);
            }
        }

        boolean enter(int slot) {
            Crowd.Member member = crowd.member(slot);
            boolean free = overlapping || member.decisions.size() == entered[slot];
            if (!member.isLive() || entered[slot] == calls || !free) {
                return false;
            }
            int bit = ~(1 << slot);
            if (overlapping) {
                crowd.enter(slot, new Contribution(Kind.IAGREE, bit, SlotSet.EMPTY));
            } else if (random.nextBoolean()) {
                crowd.agree(slot, bit);
            } else {
                int[] all =
                        member.failed.stream().mapToInt(failed -> failed.slot()).toArray();
                crowd.agree(slot, bit, all);
            }
            entered[slot]++;
            return true;
        }

        void learn(int slot, int dead) {
            if (!crowd.member(dead).isLive() && slot != dead) {
                crowd.tellDeathBeforeDraining(slot, dead);
            }
            if (random.nextBoolean()) {
                crowd.drained(slot, dead);
            }
        }

        void check() {
            List<Crowd.Member> core = crowd.core();
            for (long sequence = 1; sequence <= calls && !core.isEmpty(); sequence++) {
                Decision decision = crowd.commonDecision(sequence);
                int flag = decision.flag(overlapping ? Kind.IAGREE : Kind.AGREE);
                for (int slot = 0; slot < size; slot++) {
                    boolean took = (flag & (1 << slot)) == 0;
                    boolean live = core.contains(crowd.member(slot));
                    assertThat(took || !live)
                            .as("%d contributed to %d", slot, sequence)
                            .isTrue();
                    assertThat(live && decision.failed().contains(slot)).isFalse();
                    assertThat(took || decision.failed().contains(slot)).isTrue();
                }
            }
            for (Crowd.Member member : core) {
                assertThat(member.core.agreements().storedDecisions(Crowd.COMM))
                        .isLessThanOrEqualTo(overlapping ? calls : 1);
            }
            List<String> excludedButRunning = new ArrayList<>();
            for (Crowd.Member member : crowd.members) {
                if (member.isLive() && !core.contains(member)) {
                    excludedButRunning.add(member.id.toString());
                }
            }
            assertThat(excludedButRunning).isEmpty();
        }
    }
}
