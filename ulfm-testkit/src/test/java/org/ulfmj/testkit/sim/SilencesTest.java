package org.ulfmj.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ulfmj.sim.mutant.Mutant.without;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.ulfmj.testkit.NeededRule;
import org.ulfmj.testkit.RankEnd;

/**
 * Tests silences in many schedules, with one lasting silence per run: the launcher's judge, or the judge at the ranks
 * if the launcher is dead, ends at most one process per run, and the others agree and go on. A silence shorter than the
 * timeout ends none. Without one of the judges' rules some seed fails. {@code -Dsim.seeds=10000} sets how many seeds
 * are run with each kind of silence.
 */
class SilencesTest {
    private static final String MUTE = "mute:rank=any(1)@op=*#random(40)";
    private static final String CUT = "cut:rank=any(1):for=2h@t=random(2ms)";
    private static final String ORPHANED = "; launcher@t=random(1ms)";
    private static final int RANKS = 6;
    private static final long SEEDS = Long.getLong("sim.seeds", 100);
    private static final long SEEDS_OF_A_MUTANT = 400;
    private static final int THREADS = Integer.getInteger("sim.threads", 2);
    private static final String STORY = "org.ulfmj.testkit.sim.SilencesStory";
    private static final String JUDGE = "org.ulfmj.rendezvous.silence.SilenceJudge";
    private static final String ORPHANS = "org.ulfmj.detector.OrphanJudge";

    @ParameterizedTest
    @ValueSource(strings = {MUTE, CUT, MUTE + ORPHANED, CUT + ORPHANED})
    void shouldEndExactlyOneAndGoOnWithout(String faults) {
        Seeds seeds = SilencesStory.search(1, SEEDS, THREADS, RANKS, faults);
        System.out.println("faults \"" + faults + "\": " + seeds);
        assertThat(seeds.requireSuccess().deaths()).isGreaterThan((int) SEEDS / 2);
    }

    @Test
    void shouldEndNoRankForAStopOrACutThatIsShorterThanTheTimeout() {
        Seeds seeds = SilencesStory.search(
                1,
                SEEDS,
                THREADS,
                RANKS,
                "pause:rank=any(1):for=3750ms@op=*#random(40); cut:rank=any(1):for=3s@t=random(2ms)");
        assertThat(seeds.requireSuccess().deaths()).isZero();
    }

    @Test
    void shouldSayWhyItEndedARank() {
        SimResult mute = SimWorld.of(4).faults("mute:rank=1@op=allreduce#3").run(new RecoveryLoop(4)::main);
        assertThat(mute.ends().ranks(RankEnd.SILENCED)).containsExactly(1);
        assertThat(mute.ends().outcome(1, 0).reason()).startsWith("was silent for ");
        SimResult cut = SimWorld.of(4).faults("cut:rank=0:to=2:for=2h@t=0s").run(new RecoveryLoop(4)::main);
        assertThat(cut.ends().ranks(RankEnd.SILENCED)).containsExactly(2);
        assertThat(cut.ends().outcome(2, 0).reason()).startsWith("has no path to rank 0 ");
    }

    static Stream<NeededRule> rules() {
        return Stream.of(
                        NeededRule.under(
                                CUT,
                                without("one of two ends")
                                        .in(
                                                JUDGE,
                                                "end(subjects.get(worst), ofProcesses.reasonOf(worst, \"rank\"), atNs);",
                                                "end(subjects.get(worst), ofProcesses.reasonOf(worst, \"rank\"), atNs);\n"
                                                        + "        valid.forEach(each -> effects.kill(each.about.id, \"every\"));"),
                                without("lost paths are judged").in(JUDGE, "            judgePaths(atNs);\n", "")),
                        NeededRule.under(
                                MUTE, without("the mute are judged").in(JUDGE, "            judgeMute(atNs);\n", "")),
                        NeededRule.under(
                                CUT + ORPHANED,
                                without("a thread that ends another has the lock")
                                        .in(ORPHANS, "hasLock = host.tryLock();", "hasLock = true;")),
                        NeededRule.under(
                                MUTE + ORPHANED,
                                without("silence without a launcher is judged")
                                        .in(ORPHANS, "host.launcher() != Launcher.DEAD", "true")))
                .flatMap(rules -> rules);
    }

    @ParameterizedTest(name = "without: {0}")
    @MethodSource("rules")
    void shouldGoWrongWithoutARule(NeededRule rule) {
        rule.assertMissed(STORY, SEEDS_OF_A_MUTANT, 10, RANKS);
    }
}
