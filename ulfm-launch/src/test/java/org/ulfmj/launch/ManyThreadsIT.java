package org.ulfmj.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.ulfmj.launch.Launched.Ended;

/**
 * Checks {@code THREAD_MULTIPLE} while ranks die, with ranks as processes; with virtual threads too where a JDK 25 is
 * installed.
 */
class ManyThreadsIT {
    private static final Path INSTALLED = Path.of("/usr/lib/jvm");

    @Test
    void shouldGoOnInEveryThreadWhenRanksDie() throws InterruptedException {
        assertSurvived("java", "platform");
    }

    @Test
    @Tag("release")
    void shouldGoOnInEveryVirtualThreadWhenRanksDie() throws Exception {
        List<Path> homes = homesWithVirtualThreads();
        assumeTrue(!homes.isEmpty(), "no JDK 25 under " + INSTALLED);
        assertSurvived(homes.get(0).resolve("bin/java").toString(), "virtual");
    }

    private static void assertSurvived(String java, String kind) throws InterruptedException {
        Ended job = Launched.run(Launched.program(
                "-n 4 --timeout 90 --inject kill:rank=1@op=allReduce#60;kill:rank=3@op=agree#100 " + java + " -Xmx64m",
                ManyThreads.class,
                kind,
                "6",
                "60"));
        assertThat(job.exitCode()).as(job.out() + job.err()).isZero();
        assertThat(job.out().lines()).containsExactlyInAnyOrder("0 finished", "2 finished");
        assertThat(job.err().lines()).hasSize(2).allMatch(line -> line.startsWith("mpiexec: inject: rank "));
    }

    private static List<Path> homesWithVirtualThreads() throws IOException {
        if (!Files.isDirectory(INSTALLED)) {
            return List.of();
        }
        try (Stream<Path> homes = Files.list(INSTALLED)) {
            return homes.filter(ManyThreadsIT::isOf25).toList();
        }
    }

    private static boolean isOf25(Path home) {
        try {
            return Files.readString(home.resolve("release")).contains("JAVA_VERSION=\"25");
        } catch (IOException noJdk) {
            return false;
        }
    }
}
