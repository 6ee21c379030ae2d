package org.ulfmj.rendezvous.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.ulfmj.rendezvous.embed.SharedStore;

/** Runs the program of docs/use/embedding.md in separate virtual machines, over a real etcd, and kills some. */
@Timeout(300)
class KilledWorkersTest {
    private static final String CLASS_PATH =
            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));

    private final List<Process> workers = new ArrayList<>();

    @TempDir
    private Path directory;

    @AfterEach
    void killAll() {
        workers.forEach(Process::destroyForcibly);
    }

    private void compile() throws Exception {
        Path page = Path.of("../docs/use/embedding.md");
        String text = Files.readString(page);
        int begin = text.indexOf("```java\nimport ") + "```java\n".length();
        Path source = directory.resolve("Workers.java");
        Files.writeString(source, text.substring(begin, text.indexOf("```", begin)));
        int result = ToolProvider.getSystemJavaCompiler()
                .run(null, null, null, "-cp", CLASS_PATH, "-d", directory.toString(), source.toString());
        assertThat(result).isZero();
    }

    private Process start(String url) throws Exception {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        Process worker = new ProcessBuilder(
                        java, "-Xmx64m", "-cp", directory + File.pathSeparator + CLASS_PATH, "Workers", url)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        workers.add(worker);
        return worker;
    }

    /** Reads a worker's output up to a line that ends with this text. Returns that line. */
    private static String await(Process worker, String end) throws Exception {
        BufferedReader output = worker.inputReader();
        while (true) {
            String line = output.readLine();
            assertThat(line).as("before '%s'", end).isNotNull();
            if (line.endsWith(end)) {
                return line;
            }
        }
    }

    private static void kill(Process worker) throws Exception {
        worker.destroyForcibly();
        assertThat(worker.waitFor(60, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void shouldGatherWithoutTheKilledAndLetOthersIn() throws Exception {
        compile();
        try (EtcdServer etcd = RunningEtcd.start()) {
            String url = "etcd://" + etcd.endpoint()
                    + "/killed?min_workers=2&max_workers=3&last_call_timeout=1&timeout=120&lease=3";
            try (SharedStore job = SharedStore.open(url)) {
                Process joining = start(url);
                job.waitFor("rdzv/state", Duration.ofSeconds(60));
                kill(joining); // it had joined, and waited for another process
                Process first = start(url);
                Process second = start(url);
                await(first, " of 2");
                await(second, " of 2");
                Process third = start(url);
                String ranks = await(first, " of 3") + await(second, " of 3") + await(third, " of 3");
                assertThat(ranks).contains("rank 0").contains("rank 1").contains("rank 2");
                kill(third); // a member
                await(first, " of 2");
                await(second, " of 2");
                job.set("stop", "");
                await(first, "done");
                await(second, "done");
                assertThat(first.waitFor(60, TimeUnit.SECONDS)).isTrue();
                await(start(url), "closed");
            }
        }
    }
}
