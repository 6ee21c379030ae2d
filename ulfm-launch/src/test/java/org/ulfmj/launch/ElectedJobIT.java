package org.ulfmj.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.ulfmj.launch.office.ForgottenJob;

/**
 * Tests jobs whose coordinator is elected in a real etcd, and which go on when mpiexec, a rank in office or etcd itself
 * fails.
 */
class ElectedJobIT extends JobsInEtcd {
    private Launched start(int exitCode) {
        return start(Launched.program(
                "-n 4 --rdzv " + url() + " java -Xmx64m",
                Outliving.class,
                directory.toString(),
                Integer.toString(exitCode)));
    }

    private Map<String, Long> pids() throws IOException, InterruptedException {
        return pids(4);
    }

    private static void pass(long ns) {
        long untilNs = System.nanoTime() + ns;
        while (System.nanoTime() - untilNs < 0) {
            LockSupport.parkNanos(untilNs - System.nanoTime());
        }
    }

    @Test
    void shouldEndAsAnyJobAndLeaveNothingInEtcd() throws Exception {
        try (Launched job = start(7)) {
            pids();
            assertThat(found()).startsWith("has a coordinator at 127.0.0.1:");
            assertThat(lines("store", 1).get(0)).contains("the coordinator of this job is elected (mpiexec --rdzv)");
            stop();
            assertThat(job.exitCode()).as(job.err()).isEqualTo(7);
            assertThat(lines("done", 4)).containsExactlyInAnyOrder("0 of 4", "1 of 4", "2 of 4", "3 of 4");
            assertThat(found()).isNull();
        }
    }

    @Test
    void shouldFinishWithoutMpiexecAndWithoutTheRankThatTookItsOffice() throws Exception {
        try (Launched job = start(0)) {
            Map<String, Long> pids = pids();
            job.signal("KILL");
            String first = lines("office", 1).get(0);
            Launched.send("KILL", pids.get(first));
            String second = lines("office", 2).get(1);
            assertThat(second).isNotEqualTo(first);
            stop();
            assertThat(lines("done", 3)).hasSize(3).allSatisfy(line -> assertThat(line)
                    .endsWith(" of 3"));
            awaitNothingFound();
        }
    }

    @Test
    void shouldEndAllRanksWhenOneAbortsUnderARankInOffice() throws Exception {
        try (Launched job = start(0)) {
            Map<String, Long> pids = pids();
            job.signal("KILL");
            String inOffice = lines("office", 1).get(0);
            abortBy(inOffice.equals("3") ? "2" : "3");
            awaitEnds(pids);
        }
    }

    @Test
    void shouldEndAllRanksWhenTheRankInOfficeAborts() throws Exception {
        try (Launched job = start(0)) {
            Map<String, Long> pids = pids();
            job.signal("KILL");
            abortBy(lines("office", 1).get(0));
            awaitEnds(pids);
        }
    }

    /**
     * A rank that aborts waits for a coordinator before it ends: if it ended earlier, the others would take that for a
     * death, recover and go on. On a busy machine a rank may still notice the end of another rank before the abort.
     */
    @Test
    void shouldEndAllRanksWhenOneAbortsWhileTheOfficeIsEmpty() throws Exception {
        leaseSeconds = 9;
        try (Launched job = start(0)) {
            Map<String, Long> pids = pids();
            job.signal("KILL");
            abortBy("3");
            awaitEnds(pids);
        }
    }

    private void abortBy(String rank) throws IOException {
        Path whole = Files.writeString(directory.resolve("abort.new"), rank);
        Files.move(whole, directory.resolve("abort"));
    }

    private void awaitEnds(Map<String, Long> pids) throws Exception {
        Waiting.until(() -> pids.values().stream().noneMatch(Waiting::isAlive), () -> "one of " + pids + " lives");
        assertThat(directory.resolve("done")).doesNotExist();
    }

    /**
     * Checks that once mpiexec is dead and the rank in office is stopped, the other three ranks shrink, finish and
     * leave nothing in etcd.
     */
    @Test
    void shouldEndARankThatStandsStillInOffice() throws Exception {
        try (Launched job = start(0)) {
            Map<String, Long> pids = pids();
            job.signal("KILL");
            Launched.send("STOP", pids.get(lines("office", 1).get(0)));
            assertThat(lines("shrunk", 3)).allSatisfy(line -> assertThat(line).endsWith(" of 3"));
            stop();
            lines("done", 3);
            awaitNothingFound();
        }
    }

    /**
     * Checks that no goodbye is lost: while no coordinator is in office, Finalize waits until a rank has taken the
     * office.
     */
    @Test
    void shouldFinalizeWhileTheOfficeIsEmpty() throws Exception {
        try (Launched job = start(7)) {
            pids();
            job.signal("STOP");
            stop();
            lines("done", 4);
            job.signal("CONT");
            assertThat(job.exitCode()).as(job.err()).isEqualTo(7);
            assertThat(found()).isNull();
        }
    }

    @Test
    void shouldGoOnWithoutEtcdAndLoseARankMeanwhile() throws Exception {
        try (Launched job = start(0)) {
            Map<String, Long> pids = pids();
            etcd.kill();
            Launched.send("KILL", pids.get("2"));
            assertThat(lines("shrunk", 3)).allSatisfy(line -> assertThat(line).endsWith(" of 3"));
            pass(2 * leaseSeconds * SECOND_NS);
            etcd.restart();
            stop();
            assertThat(job.exitCode()).as(job.err()).isZero();
            assertThat(lines("done", 3)).containsExactlyInAnyOrder("0 of 3", "1 of 3", "3 of 3");
            assertThat(found()).isNull();
        }
    }

    @Test
    void shouldCoordinateAgainAfterAStandstillOfTwoLeases() throws Exception {
        try (Launched job = start(7)) {
            pids();
            job.signal("STOP");
            lines("office", 1);
            pass(2 * leaseSeconds * SECOND_NS);
            job.signal("CONT");
            job.awaitError("this mpiexec is the coordinator of the job again");
            stop();
            assertThat(job.exitCode()).as(job.err()).isEqualTo(7);
            assertThat(found()).isNull();
        }
    }

    @Test
    void shouldKnowAfterAStandstillHowTheJobHasEnded() throws Exception {
        try (Launched job = start(7)) {
            Map<String, Long> pids = pids();
            job.signal("STOP");
            lines("office", 1);
            Launched.send("KILL", pids.get("3"));
            stop();
            lines("done", 3);
            job.signal("CONT");
            assertThat(job.exitCode()).as(job.err()).isEqualTo(7);
            assertThat(found()).isNull();
        }
    }

    @Test
    void shouldRefuseASecondJobOfTheSameName() throws Exception {
        try (Launched job = start(0)) {
            pids();
            Launched.Ended second = Launched.run("-n", "1", "--rdzv", url(), "true");
            assertThat(second.exitCode()).isEqualTo(2);
            assertThat(second.err())
                    .contains("job job-1 has a coordinator at 127.0.0.1:")
                    .contains("mpiexec --rdzv-forget");
            assertThat(Launched.run("--rdzv-forget", url()).err())
                    .contains("has a coordinator at 127.0.0.1:")
                    .contains("is not forgotten");
            stop();
            assertThat(job.exitCode()).as(job.err()).isZero();
        }
    }

    @Test
    void shouldSayThatEtcdDoesNotAnswer() throws Exception {
        etcd.kill();
        Launched.Ended job = Launched.run("-n", "1", "--rdzv", url(), "true");
        assertThat(job.exitCode()).isEqualTo(2);
        assertThat(job.err()).contains("--rdzv " + url() + ": no answer of etcd at [http://" + etcd.endpoint() + "]");
    }

    @Test
    void shouldForgetAJobWhoseProcessesAreDead() throws Exception {
        try (Launched job = start(0)) {
            Map<String, Long> pids = pids();
            job.signal("KILL");
            for (long pid : pids.values()) {
                Launched.send("KILL", pid);
            }
            assertThat(found()).isNotNull();
            assertThat(ForgottenJob.forget(url())).isEqualTo("job job-1 is forgotten");
            assertThat(found()).isNull();
            assertThat(ForgottenJob.forget(url())).isEqualTo("etcd keeps nothing of job job-1");
        }
    }
}
