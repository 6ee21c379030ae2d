package org.ulfmj.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ulfmj.rendezvous.JobOfThree.MS;
import static org.ulfmj.rendezvous.JobOfThree.id;

import org.junit.jupiter.api.Test;

/** Tests of spares: processes that wait for a place, and get that of a dead process. */
class SparesTest {
    private final JobOfThree job = new JobOfThree(true);

    @Test
    void shouldGiveASpareItsPlaceAndTellItAgain() {
        job.spare(90, 1);
        job.spare(91, 1);
        assertThat(job.take())
                .containsExactly(
                        "90:Wait 0.0 for []",
                        "91:Out[reason=REFUSED, text=spare 1 has come already, as another process]");
        assertThat(job.listener.take()).containsExactly("spare 1");
        job.makeWorld();
        job.end(1, 0);
        job.take();
        job.core.onAssign(1, id(1, 1), 0, job.out);
        assertThat(job.take()).containsExactly("90:Assign[process=1'1]");
        job.spare(90, 1);
        assertThat(job.take()).containsExactly("90:Assign[process=1'1]");
        job.join(Members.member(id(1, 1), 90, 1), 0);
        assertThat(job.take()).contains("90:Wait 1.0 for [0, 1, 2]", "10:Pending 1'1");
        job.spare(90, 1);
        assertThat(job.take()).as("it is none any more").isEmpty();
    }

    @Test
    void shouldJudgeASpareThatIsStoppedAsItGetsItsPlace() {
        long silenceNs = 1_000 * MS;
        JobOfThree judged = new JobOfThree(true, silenceNs);
        judged.spare(90, 1);
        judged.makeWorld();
        judged.end(1, 0);
        judged.core.onAssign(1, id(1, 1), 0, judged.out);
        judged.listener.take();
        for (long nowNs = 0; nowNs <= silenceNs + 100 * MS; nowNs += 50 * MS) {
            judged.core.onLooked(id(1, 1), 'T', false, nowNs, judged.out);
            judged.core.onTick(nowNs, judged.out);
        }
        assertThat(judged.listener.take()).contains("silent 1'1: was silent for 1000 ms (state T)");
        judged.end(1, 1);
        judged.listener.take();
        judged.core.onLooked(id(1, 1), 'T', false, 3 * silenceNs, judged.out);
        judged.core.onTick(3 * silenceNs, judged.out);
        assertThat(judged.listener.take()).as("it has ended").noneMatch(told -> told.contains("1'1"));
    }

    @Test
    void shouldAssignASpareThatHasNotCalledYetAndForgetOneThatEnded() {
        job.core.onAssign(1, id(1, 1), 0, job.out);
        assertThat(job.take()).isEmpty();
        job.spare(90, 1);
        assertThat(job.take()).containsExactly("90:Assign[process=1'1]");
        job.spare(92, 2);
        job.core.onSpareEnded(2, 0, job.out);
        job.core.onAbort(3, "enough", job.out);
        assertThat(job.take())
                .doesNotContain("92:Abort[code=3, reason=enough]")
                .contains("90:Abort[code=3, reason=enough]");
        job.spare(93, 3);
        assertThat(job.take()).containsExactly("93:Out[reason=CLOSED, text=enough]");
    }
}
