package org.ulfmj.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Elastic jobs on several hosts, which are agents on this one. The agent of a host says its pid in a file of the host's
 * name.
 */
class ElasticHostsIT {
    @TempDir
    Path directory;

    /** A rank of another host dies, and then the agent of a host, whose ranks its guardian ends. */
    @Test
    void shouldLoseARankOfAnotherHostAndThenAHost() throws Exception {
        try (Launched job = start("-n 2:6 --host localhost:1,hostb:2,hostc:1")) {
            job.awaitOutput("4 ranks");
            Launched.send("KILL", pid(job, 2));
            awaitRanks(job, 3);
            Launched.send("KILL", agent("hostc"));
            awaitRanks(job, 2);
            stop();
            assertThat(job.exitCode()).as(job.err()).isZero();
            assertThat(job.out()).endsWith("right\n");
            assertThat(job.err())
                    .contains("mpiexec: rank 1 was killed by signal 9 (KILL) before MPI.Finalize; the others go on\n")
                    .contains("mpiexec: host hostc has lost its agent (the command that started its agent ended with"
                            + " code 137); another one is started\n")
                    .contains("mpiexec: host hostc has an agent again\n");
        }
    }

    private Launched start(String options) {
        String sharing = " --set ulfm.net.interface=lo --set ulfm.rdzv.lease=10s --launcher-exec";
        String noting = "sh -c 'echo $$ > " + directory + "/{host}; exec \"$@\"' sh";
        List<String> words = new ArrayList<>(List.of(Launched.words(options + sharing, noting)));
        words.addAll(List.of(Launched.program("java", Growing.class, stopFile().toString())));
        return Launched.start(words.toArray(String[]::new));
    }

    /** The agent of a host, which has the pid of the command that has started it. */
    private long agent(String host) throws IOException {
        return Long.parseLong(Launched.awaitLines(directory.resolve(host), 1).get(0));
    }

    /** Waits until rank 0 has said last that there are so many ranks. */
    private static void awaitRanks(Launched job, int count) throws IOException {
        Waiting.until(() -> lastRanks(job).equals(count + " ranks"), () -> job.outSoFar() + job.errSoFar());
    }

    private static String lastRanks(Launched job) {
        Matcher said = Pattern.compile("\\d+ ranks(?=\n)").matcher(job.outSoFar());
        String last = "";
        while (said.find()) {
            last = said.group();
        }
        return last;
    }

    private static long pid(Launched job, int number) {
        Matcher said = Pattern.compile("process " + number + " is (\\d+)\\.").matcher(job.outSoFar());
        assertThat(said.find()).as("process %d", number).isTrue();
        return Long.parseLong(said.group(1));
    }

    private Path stopFile() {
        return directory.resolve("stop");
    }

    private void stop() throws IOException {
        Files.createFile(stopFile());
    }
}
