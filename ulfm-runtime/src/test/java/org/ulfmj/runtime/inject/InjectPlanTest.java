package org.ulfmj.runtime.inject;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InjectPlanTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "kill:rank=2@t=2s|kill:rank=2@t=2s",
                "kill:rank=2@op=allreduce#100|kill:rank=2@op=allreduce#100",
                "kill:rank=2@op=allReduce|kill:rank=2@op=allreduce#1",
                "kill:rank=2@op=reduce_scatter#2|kill:rank=2@op=reducescatter#2",
                "kill:rank=2@op=*#7|kill:rank=2@op=*#7",
                "kill:rank=2@iter=40|kill:rank=2@iter=40",
                "kill:rank=last@iter=0|kill:rank=7@iter=0",
                "kill:rank=2,inc=1@t=2s|kill:rank=2,inc=1@t=2s",
                "kill:rank=2,inc=0@t=2s|kill:rank=2@t=2s",
                "kill:rank=0-1,inc=*@op=*#7|kill:rank=0,inc=*@op=*#7 kill:rank=1,inc=*@op=*#7",
                "kill:rank=1@point=rabit.before-commit|kill:rank=1@point=rabit.before-commit#1",
                "kill:rank=1@point=rabit.load#2|kill:rank=1@point=rabit.load#2",
                "kill:rank=1@byte=5000|kill:rank=1@byte=5000",
                "kill:rank=1,inc=2@v=3,seq=4|kill:rank=1,inc=2@v=3,seq=4",
                "mock=0,0,1,0;mock=1,1,10,1|kill:rank=0@v=0,seq=1 kill:rank=1,inc=1@v=1,seq=10",
                "kill:rank=1,3@t=1.5s|kill:rank=1@t=1500ms kill:rank=3@t=1500ms",
                "kill:rank=1-3,6@t=0s|kill:rank=1@t=0s kill:rank=2@t=0s kill:rank=3@t=0s kill:rank=6@t=0s",
                " kill:rank=1@t=1s ; kill:rank=0@t=2s;|kill:rank=1@t=1s kill:rank=0@t=2s"
            })
    void shouldUnderstandARule(String text, String kills) {
        InjectPlan plan = InjectPlan.parse(List.of(text), 8);
        assertThat(plan.isRandom()).isFalse();
        assertThat(text(plan.draw(5))).isEqualTo(kills);
    }

    @Test
    void shouldJoinRepeatedOptionsAndNumberTheKills() {
        List<PlannedFault> kills = InjectPlan.parse(List.of("kill:rank=1@t=1s", "kill:rank=0@iter=3"), 2)
                .draw(0);
        assertThat(kills)
                .containsExactly(
                        PlannedFault.kill(1, 1, 0, new Moment.AtTime(1_000_000_000)),
                        PlannedFault.kill(2, 0, 0, new Moment.AtIteration(3)));
    }

    @Test
    void shouldDrawTheSameFromTheSameSeed() {
        InjectPlan plan = InjectPlan.parse(List.of("kill:rank=any(3)@t=random"), 8);
        assertThat(plan.isRandom()).isTrue();
        assertThat(plan.draw(42)).isEqualTo(plan.draw(42)).hasSize(3);
        assertThat(IntStream.range(0, 20).mapToObj(plan::draw).distinct()).hasSizeGreaterThan(10);
    }

    @Test
    void shouldDrawRanksThatNoOtherRuleNamesAndTimesWithinTheirBound() {
        InjectPlan plan = InjectPlan.parse(
                List.of("kill:rank=any(2)@t=random(50ms);kill:rank=0,1@t=1s;kill:rank=any(2)@iter=1"), 6);
        for (int seed = 0; seed < 50; seed++) {
            List<PlannedFault> kills = plan.draw(seed);
            assertThat(kills)
                    .extracting(PlannedFault::rank)
                    .doesNotHaveDuplicates()
                    .hasSize(6);
            assertThat(kills.subList(0, 2))
                    .allSatisfy(kill -> assertThat(((Moment.AtTime) kill.moment()).afterStartNs())
                            .isBetween(0L, 50_000_000L));
        }
    }

    @Test
    void shouldDrawTheByteWithinItsBound() {
        InjectPlan plan = InjectPlan.parse(List.of("kill:rank=1@byte=random(2)"), 2);
        assertThat(plan.isRandom()).isTrue();
        assertThat(IntStream.range(0, 100)
                        .mapToObj(seed -> text(plan.draw(seed)))
                        .distinct())
                .containsExactlyInAnyOrder("kill:rank=1@byte=1", "kill:rank=1@byte=2");
    }

    @Test
    void shouldDrawTheCallWithinItsBound() {
        InjectPlan plan = InjectPlan.parse(List.of("kill:rank=1@op=send#random(5)"), 2);
        assertThat(plan.isRandom()).isTrue();
        assertThat(IntStream.range(0, 200)
                        .mapToObj(seed -> text(plan.draw(seed)))
                        .distinct())
                .containsExactlyInAnyOrder(
                        "kill:rank=1@op=send#1",
                        "kill:rank=1@op=send#2",
                        "kill:rank=1@op=send#3",
                        "kill:rank=1@op=send#4",
                        "kill:rank=1@op=send#5");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "kill|a rule is written ACTION:rank=R@WHEN, as in kill:rank=2@t=2s",
                "kill:rank=2|a rule is written ACTION:rank=R@WHEN, as in kill:rank=2@t=2s",
                "kill:link=2@t=2s|after kill: comes rank=, as in kill:rank=2@t=2s, not 'link=2'",
                "kill:rank=8@t=2s|there is no rank 8 among 8 (0 to 7)",
                "kill:rank=two@t=2s|'two' is no rank; write a number, a range 1-4, any(k), root, last or succ(r)",
                "kill:rank=4-1@t=2s|the range 4-1 is empty",
                "kill:rank=any(0)@t=2s|any(k): 0 is too small, the least is 1",
                "kill:rank=2@soon|'soon' is no moment; write t=2s, t=random, now, op=allreduce#100, op=*#7, iter=40,"
                        + " point=rabit.before-commit, phase=agree#1, ckpt=2, byte=5000, ev=dead(0)+5ms or v=1,seq=0",
                "kill:rank=inc=1@t=2s|no rank is named; write kill:rank=2,inc=1@t=2s",
                "kill:rank=2,inc=-1@t=2s|inc: -1 is too small, the least is 0",
                "kill:rank=2@point=rabit.lod|unknown point 'rabit.lod'; the nearest known one is rabit.load",
                "kill:rank=2@point=rabit.load#0|point: 0 is too small, the least is 1",
                "kill:rank=2@v=1|a place of the replay is written v=1,seq=0",
                "mock=1,1,1|it is written mock=rank,version,seqno,ndeath, four numbers",
                "mock=9,1,1,0|there is no rank 9 among 8 (0 to 7)",
                "mock=1,1,-1,0|seqno: -1 is too small, the least is 0",
                "kill:rank=2@t=2|t: '2' is not a duration; write a number and one of ns, us, ms, s, min, h,"
                        + " as in 500ms or 1.5s",
                "kill:rank=2@op=alreduce|unknown operation 'alreduce'; the nearest known one is allreduce (or * for any)",
                "kill:rank=2@op=send#0|op: 0 is too small, the least is 1",
                "kill:rank=2@iter=x|iter: 'x' is no whole number"
            })
    void shouldSayWhatIsWrongWithARule(String text, String why) {
        assertThatThrownBy(() -> InjectPlan.parse(List.of(text), 8))
                .isInstanceOf(InjectSyntaxException.class)
                .hasMessageMatching(
                        "(?s)--inject '" + Pattern.quote(text) + "', character \\d+: " + Pattern.quote(why));
    }

    @Test
    void shouldRefuseToDrawMoreThanThereAre() {
        assertThatThrownBy(() -> InjectPlan.parse(List.of("kill:rank=0@t=1s;kill:rank=any(2)@t=1s"), 2))
                .hasMessage("--inject: any(k) asks for 2 ranks, but only 1 of 2 are not named by a rule already");
    }

    private static String text(List<PlannedFault> kills) {
        StringBuilder text = new StringBuilder();
        for (PlannedFault kill : kills) {
            text.append(text.length() == 0 ? "" : " ").append(kill);
        }
        return text.toString();
    }
}
