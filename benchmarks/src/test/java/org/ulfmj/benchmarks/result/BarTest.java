package org.ulfmj.benchmarks.result;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class BarTest {
    private final Results results = new Results();

    @Test
    void shouldCountTheBestLaunchAgainstTheFasterOpenMpi() {
        add("shm", "pp:8", 1, "ours", 0.40);
        add("shm", "pp:8", 1, "ompi", 0.20);
        add("shm", "pp:8", 2, "ours", 0.33);
        add("shm", "pp:8", 2, "ompi", 0.40);
        add("shm", "pp:8", 2, "ompi@", 0.30);
        add("shm", "pp:8", 2, "mpich", 0.10);

        Bar.Judgement judgement = new Bar("shm/2/pp:8", List.of(Limit.openMpi(1.1))).judge(results);

        assertThat(judgement.verdict()).isEqualTo(Bar.Verdict.MET);
        assertThat(judgement.measured()).isEqualTo("1.10 (1.10 to 2.00)");
    }

    @Test
    void shouldMissWhenNoLimitIsKeptAndShowTheNearest() {
        add("agree", "agree", 1, "ours", 4);
        add("agree", "allreduce:8", 1, "ours", 1);

        Bar bar = new Bar("agree/2/agree", List.of(Limit.constant(1), Limit.place(3, "agree/2/allreduce:8")));
        Bar.Judgement judgement = bar.judge(results);

        assertThat(judgement.verdict()).isEqualTo(Bar.Verdict.MISSED);
        assertThat(judgement.limit().text("µs")).isEqualTo("3 × agree/2/allreduce:8");
        assertThat(judgement.share()).isCloseTo(4 / 3.0, org.assertj.core.api.Assertions.within(1e-9));
    }

    @Test
    void shouldCountTheWorstLaunchWhenEachMustKeepIt() {
        add("ft", "pp:8", 1, "ulfm", 1.02);
        add("ft", "pp:8", 1, "none", 1.00);
        add("ft", "pp:8", 2, "ulfm", 1.10);
        add("ft", "pp:8", 2, "none", 1.00);

        Bar bar = new Bar("ft/2/pp:8", List.of(Limit.job(1.05, 0, "none").inEveryLaunch()));

        assertThat(bar.judge(results).verdict()).isEqualTo(Bar.Verdict.MISSED);
    }

    @Test
    void shouldSayThatNothingWasMeasuredWhenThePeerIsMissing() {
        add("shm", "pp:8", 1, "ours", 0.40);

        Bar.Judgement judgement = new Bar("shm/2/pp:8", List.of(Limit.openMpi(1.1))).judge(results);

        assertThat(judgement.verdict()).isEqualTo(Bar.Verdict.NOT_MEASURED);
    }

    @Test
    void shouldSayWhatTheMedianAndTheWorstLaunchDid() {
        double[] ours = {0.9, 1.2, 3.0};
        for (int launch = 1; launch <= 3; launch++) {
            add("shm", "barrier", launch, "ours", ours[launch - 1]);
            add("shm", "barrier", launch, "ompi", 1);
        }

        Bar.Judgement judgement = new Bar("shm/2/barrier", List.of(Limit.openMpi(1))).judge(results);

        assertThat(judgement.verdict()).isEqualTo(Bar.Verdict.MET);
        assertThat(judgement.measured()).isEqualTo("0.900 (0.900 to 3.00)");
        assertThat(judgement.median()).isEqualTo("1.20");
        assertThat(judgement.byMedian()).isEqualTo(Bar.Verdict.MISSED);
        assertThat(judgement.byWorst()).isEqualTo(Bar.Verdict.MISSED);
        assertThat(judgement.launches()).isEqualTo(3);
    }

    @Test
    void shouldTakeTheWorseOfTwoLaunchesForTheMedian() {
        add("memory", "hello", 1, "ours", 10);
        add("memory", "hello", 2, "ours", 30);

        Bar.Judgement judgement = new Bar("memory/2/hello", List.of(Limit.constant(20))).judge(results);

        assertThat(judgement.median()).isEqualTo("30.0 KiB");
        assertThat(judgement.byMedian()).isEqualTo(Bar.Verdict.MISSED);
    }

    @Test
    void shouldTakeInEachLaunchTheLimitThatIsNearestToBeingKept() {
        add("agree", "agree", 1, "ours", 0.9);
        add("agree", "allreduce:8", 1, "ours", 0.1);
        add("agree", "agree", 2, "ours", 1.2);
        add("agree", "allreduce:8", 2, "ours", 0.5);
        add("agree", "agree", 3, "ours", 9);
        add("agree", "allreduce:8", 3, "ours", 1);

        Bar bar = new Bar("agree/2/agree", List.of(Limit.constant(1), Limit.place(3, "agree/2/allreduce:8")));
        Bar.Judgement judgement = bar.judge(results);

        assertThat(judgement.byMedian()).isEqualTo(Bar.Verdict.MET);
        assertThat(judgement.median()).isEqualTo("0.900 µs");
        assertThat(judgement.measured()).startsWith("2.40 (2.40 to 9.00)");
        assertThat(judgement.byWorst()).isEqualTo(Bar.Verdict.MISSED);
    }

    private void add(String group, String name, int launch, String job, double micros) {
        results.add(List.of(new Result(group, 2, name, name, launch, job, new double[] {micros}, 0, 0)));
    }
}
