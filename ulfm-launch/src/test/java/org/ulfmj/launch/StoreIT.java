package org.ulfmj.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The store of a job of processes. */
class StoreIT {
    private static final Pattern WAITS = Pattern.compile("1 is pid (\\d+) and waits");

    @Test
    void shouldGoOnWhenARankIsKilledThatWaitsForTheStore() throws Exception {
        try (Launched job =
                Launched.start(Launched.program("-n 3 --max-restarts 1 java -Xmx64m", StoreWaiting.class))) {
            job.awaitOutput("and waits");
            Matcher waits = WAITS.matcher(job.outSoFar());
            assertThat(waits.find()).isTrue();
            Launched.send("KILL", Long.parseLong(waits.group(1)));
            assertThat(job.exitCode()).as(job.err()).isZero();
            assertThat(job.out()).doesNotContain("1 was not killed");
            for (int rank = 0; rank < 3; rank++) {
                assertThat(job.out()).contains(rank + " went, counted 4\n");
            }
            assertThat(job.out()).contains("Store.waitFor of 'never': no answer of the store within 50 ms\n");
            assertThat(job.err()).contains("starting it again as 1'1");
        }
    }

    @Test
    void shouldLoadNoClassOfTheStoreBeforeItIsUsed() throws Exception {
        Launched.Ended job =
                Launched.run(Launched.program("-n 1 java -Xmx64m -Xlog:class+load", Greeting.class, "hello"));
        assertThat(job.out())
                .contains("hello 0/1", " org.ulfmj.rendezvous.client.JoinSession ")
                .doesNotContain(" org.ulfmj.rendezvous.store.", " mpi.Store", " org.ulfmj.runtime.store.JobStore ")
                .doesNotContain(" org.ulfmj.runtime.store.StoreLine ");
    }

    /** Checks that a process without mpiexec has its own store. */
    @Test
    void shouldServeAProcessThatWasStartedAlone(@TempDir Path directory) throws Exception {
        Path said = directory.resolve("said");
        Process alone = new ProcessBuilder(
                        System.getProperty("java.home") + "/bin/java",
                        "-Xmx64m",
                        "-cp",
                        "target/ulfm.jar:target/test-classes",
                        StoreAlone.class.getName())
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        try {
            assertThat(alone.waitFor(60, TimeUnit.SECONDS))
                    .as(Files.readString(said))
                    .isTrue();
            String out = Files.readString(said);
            assertThat(alone.exitValue()).as(out).isZero();
            assertThat(out).isEqualTo("5 null mine\nStore.waitFor of 'never': no answer of the store within 20 ms\n");
        } finally {
            alone.destroyForcibly();
        }
    }
}
