package org.ulfmj.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Tests elastic jobs with an elected coordinator: processes of other launchers, which find the job in a real etcd, join
 * whichever process is the coordinator.
 */
class ElectedElasticIT extends JobsInEtcd {
    private static final String FINALIZED = "all processes of the world have finalized, or died";

    private Launched first(String options) {
        return start(command(options + " --rdzv " + url()));
    }

    private Launched joining(int count) {
        return start(command("-n " + count + " --join " + url()));
    }

    private String[] command(String options) {
        return Launched.program(options + " java -Xmx64m", OutlivingGrowth.class, directory.toString());
    }

    private void awaitRanks(int count) throws IOException {
        Path ranks = directory.resolve("ranks");
        Waiting.until(() -> last(ranks).equals(Integer.toString(count)), () -> last(ranks) + " ranks, not " + count);
    }

    private static String last(Path file) {
        try {
            List<String> lines = Files.exists(file) ? Files.readAllLines(file) : List.of();
            return lines.isEmpty() ? "" : lines.get(lines.size() - 1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void shouldLetInWhatAnotherLauncherStartsAfterMpiexecAndARankInOfficeHaveDied() throws Exception {
        try (Launched job = first("-n 2:4 --host localhost:2")) {
            awaitRanks(2);
            job.signal("KILL");
            String inOffice = lines("office", 1).get(0);
            try (Launched more = joining(2)) {
                awaitRanks(4);
                Launched.send("KILL", pids(4).get(inOffice));
                awaitRanks(3);
                assertThat(lines("office", 2).get(1)).isNotEqualTo(inOffice);
                stop();
                assertThat(lines("done", 3)).allSatisfy(line -> assertThat(line).endsWith(" of 3"));
                assertThat(more.exitCode()).as(more.err()).isZero();
            }
            awaitNothingFound();
        }
    }

    @Test
    void shouldLetInWhatJoinsWhileTheOfficeIsEmpty() throws Exception {
        try (Launched job = first("-n 1:3 --host localhost:1 -v")) {
            awaitRanks(1);
            job.signal("STOP");
            try (Launched more = joining(2)) {
                awaitRanks(3);
                job.signal("CONT");
                job.awaitError("this mpiexec is the coordinator of the job again");
                job.awaitError("process 2 of another mpiexec");
                job.awaitError("process 3 of another mpiexec");
                Launched.send("KILL", pids(3).get("3"));
                awaitRanks(2);
                stop();
                assertThat(job.exitCode()).as(job.err()).isZero();
                assertThat(more.exitCode()).as(more.err()).isEqualTo(137);
                assertThat(lines("done", 2)).allSatisfy(line -> assertThat(line).endsWith(" of 2"));
            }
            assertThat(found()).isNull();
        }
    }

    @Test
    void shouldJoinByTheSameCommandLineAndLetTheRestWait() throws Exception {
        try (Launched job = first("-n 1:2 --host localhost:1 -v")) {
            awaitRanks(1);
            try (Launched second = first("-n 1:2 --host localhost:1 -v")) {
                awaitRanks(2);
                second.awaitError("the job runs already; its processes here join it");
                try (Launched third = first("-n 1:2 --host localhost:1 -v")) {
                    third.awaitError("the world is full (2 of at most 2 members)");
                    job.awaitError("process 3 of another mpiexec");
                    stop();
                    assertThat(job.exitCode()).as(job.err()).isZero();
                    assertThat(second.exitCode()).as(second.err()).isZero();
                    assertThat(third.exitCode()).as(third.err()).isZero();
                    assertThat(lines("done", 2)).hasSize(2);
                }
            }
            assertThat(found()).isNull();
        }
    }

    /**
     * mpiexec does not stop at SIGTSTP: a process that joined while all others are stopped would become the
     * coordinator, and would end each of them as a silent one.
     */
    @Test
    void shouldNotBeStoppedByAKey() throws Exception {
        try (Launched job = first("-n 1:2 --host localhost:1")) {
            awaitRanks(1);
            job.signal("TSTP");
            job.awaitError("mpiexec: got SIGTSTP, and a process that joins meanwhile would take the office");
            stop();
            assertThat(job.exitCode()).as(job.err()).isZero();
        }
    }

    /**
     * A process that joins after the job has ended is ended too, though no process is left to tell it so: it finds no
     * keys in etcd.
     */
    @Test
    void shouldEndWhatComesAfterTheJobIsOver() throws Exception {
        Path go = directory.resolve("go");
        String late =
                "until [ -e " + go + " ]; do sleep 0.1; done; exec java -Xmx64m -cp target/test-classes:$CLASSPATH "
                        + OutlivingGrowth.class.getName() + " " + directory;
        try (Launched job = first("-n 1:2 --host localhost:1")) {
            awaitRanks(1);
            job.signal("KILL");
            String[] join = Launched.words("-v -n 1 --join " + url(), "sh", "-c", late);
            try (Launched more = start(join)) {
                more.awaitError("is pid");
                stop();
                lines("done", 1);
                awaitNothingFound();
                Files.createFile(go);
                assertThat(more.exitCode()).as(more.err()).isZero();
                assertThat(more.err()).contains("is not needed and ends: the job is over");
            }
        }
    }

    /** Stops etcd, makes the rank finalize meanwhile, and waits until the rank has left Finalize. */
    private void finalizeUnheard() throws Exception {
        Launched.send("STOP", etcd.pid());
        stop();
        lines("done", 1);
    }

    private void goOnWithEtcd() throws Exception {
        Launched.send("CONT", etcd.pid());
    }

    private void requireNotBegunAgain(Launched waiting, String why) throws Exception {
        assertThat(waiting.exitCode()).as(waiting.err()).isZero();
        assertThat(waiting.err()).contains("is not needed and ends: ", why);
        assertThat(lines("done", 1)).containsExactly("1 of 1");
    }

    @Test
    void shouldNotBeginAgainWhatHasFinishedWhileEtcdWasAway() throws Exception {
        try (Launched job = first("-n 1:1 --host localhost:1 -v")) {
            awaitRanks(1);
            try (Launched waiting = joining(1)) {
                job.awaitError("process 2 of another mpiexec");
                job.signal("KILL");
                finalizeUnheard();
                goOnWithEtcd();
                requireNotBegunAgain(waiting, FINALIZED);
            }
            awaitNothingFound();
        }
    }

    /** Removes the job's directory, as an mpiexec does that has waited too long for etcd. */
    @Test
    void shouldNotBeginAgainOnceTheDirectoryOfTheJobIsGone() throws Exception {
        try (Launched job = first("-n 1:1 --host localhost:1 -v")) {
            awaitRanks(1);
            try (Launched waiting = joining(1)) {
                job.awaitError("process 2 of another mpiexec");
                job.signal("KILL");
                finalizeUnheard();
                removeJobDirectory();
                goOnWithEtcd();
                requireNotBegunAgain(waiting, "its mpiexec has removed the directory of the job, and ended");
            }
            awaitNothingFound();
        }
    }

    private void removeJobDirectory() throws IOException {
        try (DirectoryStream<Path> jobs = Files.newDirectoryStream(directory, "ulfm-*")) {
            for (Path job : jobs) {
                try (DirectoryStream<Path> files = Files.newDirectoryStream(job)) {
                    for (Path file : files) {
                        Files.delete(file);
                    }
                }
                Files.delete(job);
            }
        }
    }

    @Test
    void shouldKnowInMpiexecWhatHasFinishedWhileEtcdWasAway() throws Exception {
        try (Launched job = first("-n 1:1 --host localhost:1 -v")) {
            awaitRanks(1);
            try (Launched waiting = joining(1)) {
                job.awaitError("process 2 of another mpiexec");
                finalizeUnheard();
                goOnWithEtcd();
                requireNotBegunAgain(waiting, FINALIZED);
                assertThat(job.exitCode()).as(job.err()).isZero();
            }
            assertThat(found()).isNull();
        }
    }

    @Test
    void shouldSayWhyAJobCannotBeJoined() throws Exception {
        assertThat(Launched.run(command("-n 1 --join " + url())).err())
                .contains("--join " + url() + ": etcd keeps nothing of job job-1");
        try (Launched job = first("-n 1:2 --host localhost:1 -v")) {
            awaitRanks(1);
            Launched.Ended other = Launched.run(command("-n 1:3 --rdzv " + url()));
            assertThat(other.exitCode()).isEqualTo(2);
            assertThat(other.err()).contains("the job runs already, and is one of -n 1:2; join it by the same");
            Launched.Ended options = Launched.run(command("-n 1:2 --set ulfm.fd.timeout=7s --rdzv " + url()));
            assertThat(options.exitCode()).isEqualTo(2);
            assertThat(options.err()).contains("the job runs already, and is one of other options");
            stop();
            assertThat(job.exitCode()).as(job.err()).isZero();
        }
    }
}
