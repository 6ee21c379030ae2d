package org.ulfmj.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ulfmj.launch.GrowthLines.awaitPid;
import static org.ulfmj.launch.GrowthLines.awaitRanks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests elastic jobs on several hosts, which are played by agents on this host. The command that starts the agent of a
 * host writes its pid, which is then the agent's, into a file with the host's name.
 */
class ElasticHostsIT {
    private static final String BAD = "mpiexec: --host-discovery: host bad cannot be used: ";

    @TempDir
    Path directory;

    /**
     * First a rank on another host is killed, and then the agent of a host: the guardian there ends its ranks, and the
     * launcher starts another agent.
     */
    @Test
    void shouldLoseARankOfAnotherHostAndThenAHost() throws Exception {
        try (Launched job = start("-n 2:6 --host localhost:1,hostb:2,hostc:1")) {
            job.awaitOutput("4 ranks");
            Launched.send("KILL", awaitPid(job, 2));
            awaitRanks(job, 3);
            Launched.send("KILL", agent("hostc"));
            awaitRanks(job, 2);
            job.awaitError("mpiexec: host hostc has an agent again\n");
            stop();
            assertThat(job.exitCode()).as(job.err()).isZero();
            assertThat(job.out()).endsWith("right\n");
            assertThat(job.err())
                    .contains("mpiexec: rank 1 was killed by signal 9 (KILL) before MPI.Finalize; the others go on\n")
                    .contains("mpiexec: host hostc has lost its agent (the command that started its agent ended with"
                            + " code 137); another one is started\n");
        }
    }

    /**
     * Hosts appear in the output of the command, disappear and appear again; on one of them no agent can be started.
     */
    @Test
    void shouldFollowTheHostsThatACommandFinds() throws Exception {
        print("localhost:1\nbad:1\nhostb:1");
        try (Launched job = start("-n 1:6 --set ulfm.discovery.interval=200ms --host-discovery", "cat " + slots())) {
            job.awaitError(BAD + "the command that started its agent ended with code 3: no such host; it is tried"
                    + " again once the command has left it out and prints it again\n");
            awaitRanks(job, 2);
            long first = agent("hostb");
            print("localhost:1\nhostb:1\nhostc:2");
            awaitRanks(job, 4);
            print("localhost:1\nhostc:2");
            awaitRanks(job, 3);
            Waiting.until(() -> !Waiting.isAlive(first), () -> "the agent of a host that has gone lives on");
            print("localhost:1\nhostb:1\nhostc:2\nbad:1");
            awaitRanks(job, 4);
            Waiting.until(() -> job.errSoFar().split(BAD, -1).length == 3, () -> "told once: " + job.errSoFar());
            stop();
            assertThat(job.exitCode()).as(job.err()).isZero();
            assertThat(job.out()).endsWith("right\n");
            assertThat(job.err())
                    .contains("starting process 2 on hostb\n", "starting process 3 on hostc, process 4 on hostc\n")
                    .contains("mpiexec: 3 slots left: SIGTERM to rank 1\n")
                    .contains("starting process 5 on hostb\n")
                    .doesNotContain("has lost its agent");
        }
    }

    /**
     * The agent and all ranks of a host are stopped: the rank of the other host goes on without them, and the stopped
     * ranks end once they are continued.
     */
    @Test
    @Tag("release")
    void shouldGoOnWithoutAHostOfWhichNothingIsHeard() throws Exception {
        try (Launched job = start("-n 2:3 --host localhost:1,hostb:2")) {
            job.awaitOutput("3 ranks");
            List<Long> there = List.of(agent("hostb"), awaitPid(job, 2), awaitPid(job, 3));
            for (long pid : there) {
                Launched.send("STOP", pid);
            }
            job.awaitError("mpiexec: nothing is heard of host hostb; held for failed with it: ranks 1, 2\n");
            awaitRanks(job, 1);
            for (long pid : there) {
                Launched.send("CONT", pid);
            }
            Waiting.until(
                    () -> there.subList(1, 3).stream().noneMatch(Waiting::isAlive),
                    () -> "one of " + there + " lives on");
            stop();
            assertThat(job.exitCode()).as(job.err()).isZero();
            assertThat(job.out()).endsWith("right\n");
        }
    }

    /** @param more further words */
    private Launched start(String options, String... more) {
        List<String> words = new ArrayList<>(List.of(Launched.words(options, more)));
        String noting = "echo $$ > " + directory + "/{host}; test {host} != bad || { echo no such host; exit 3; }";
        words.addAll(List.of(Launched.words(
                "--set ulfm.net.interface=lo --set ulfm.rdzv.lease=10s --launcher-exec",
                "sh -c '" + noting + "; exec \"$@\"' sh")));
        words.addAll(List.of(Launched.program("java", Growing.class, stopFile().toString())));
        return Launched.start(words.toArray(String[]::new));
    }

    /** Makes the command of the discovery print this text from now on. */
    private void print(String text) throws IOException {
        Path next = Files.writeString(directory.resolve("next"), text + "\n");
        Files.move(next, slots(), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private Path slots() {
        return directory.resolve("slots");
    }

    /** The pid of a host's agent; it is that of the command that has started the agent. */
    private long agent(String host) throws IOException {
        return Long.parseLong(Launched.awaitLines(directory.resolve(host), 1).get(0));
    }

    private Path stopFile() {
        return directory.resolve("stop");
    }

    private void stop() throws IOException {
        Files.createFile(stopFile());
    }
}
