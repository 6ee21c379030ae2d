package org.ulfmj.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests how ranks end, or go on, whose launcher was killed before them. */
@Tag("long")
class OrphansIT {
    /**
     * Options with which ranks notice the launcher's death soon, and a rank that stands still for a moment is not
     * judged silent.
     */
    private static final String LOST_SOON = "--set ulfm.fd.timeout=20s --set ulfm.link.budget=1200ms";

    @TempDir
    Path directory;

    private Path jobs;

    @BeforeEach
    void makeDirectory() throws IOException {
        jobs = Files.createDirectory(directory.resolve("jobs"));
    }

    /**
     * Shows that without the launcher the ranks themselves notice a death, and go on. An abort, too, is then only a
     * death, because no launcher passes it on.
     */
    @ParameterizedTest
    @ValueSource(strings = {"kill", "stop"})
    void shouldSurviveADeathWithoutTheLauncherAndRemoveTheDirectory(String how) throws Exception {
        Path go = directory.resolve("go");
        Path done = directory.resolve("done");
        try (Launched job = start(how, go.toString(), done.toString())) {
            job.awaitOutput("0 goes on");
            job.signal("KILL");
            Files.createFile(go);
            assertThat(Launched.awaitLines(done, 3)).hasSize(3).containsOnly("finalized");
            Waiting.until(() -> Waiting.isEmpty(jobs), () -> "something is left in " + jobs);
        }
    }

    /**
     * Other ways in which a rank can end: without the launcher their effect is the same as that of a rank that is
     * killed.
     */
    @Tag("release")
    @ParameterizedTest
    @ValueSource(strings = {"throw", "abort", "broken"})
    void shouldSurviveEveryOtherEndWithoutTheLauncher(String how) throws Exception {
        shouldSurviveADeathWithoutTheLauncherAndRemoveTheDirectory(how);
    }

    /** Shows that ranks end by themselves when the guardian was killed as well as the launcher. */
    @Test
    void shouldEndByThemselvesWhenTheGuardianIsGoneToo() throws Exception {
        Path codes = directory.resolve("codes");
        String script = "java -Xmx64m -cp \"target/test-classes:$CLASSPATH\" " + Ending.class.getName()
                + " stay \"$CODES.never\" 2>> \"$CODES.err\"; echo $? >> \"$CODES\"";
        String[] command = Launched.words("-n 3 " + LOST_SOON + " -x", "CODES=" + codes, "sh", "-c", script);
        String path = System.getProperty("java.home") + "/bin:" + System.getenv("PATH");
        try (Launched job = Launched.start(Map.of("XDG_RUNTIME_DIR", jobs.toString(), "PATH", path), command)) {
            job.awaitOutput("0 goes on");
            Launched.send("KILL", guardian());
            job.signal("KILL");
            assertThat(Launched.awaitLines(codes, 3)).containsExactly("119", "119", "119");
            assertThat(Files.readAllLines(Path.of(codes + ".err")))
                    .hasSize(3)
                    .allMatch(
                            line -> line.matches("rank \\d ends because mpiexec is lost: no connection to the launcher"
                                    + " at /[0-9.:]+ for \\d+ ms \\(.*\\) \\(exit code 119\\)"));
        }
    }

    private Launched start(String... how) {
        boolean isSilent = how[0].equals("stop");
        String line =
                "-n 4 " + (isSilent ? "--set ulfm.fd.timeout=2s" : LOST_SOON) + " --orphans continue java -Xmx64m";
        return Launched.start(Map.of("XDG_RUNTIME_DIR", jobs.toString()), Launched.program(line, Ending.class, how));
    }

    /** The pid of the guardian, the shell that watches over the one job in the test's directory. */
    private long guardian() throws IOException {
        try (Stream<Path> processes = Files.list(Path.of("/proc"))) {
            return processes
                    .filter(process -> process.getFileName().toString().matches("\\d+"))
                    .filter(process -> commandLine(process).contains("mpiexec-guardian\0")
                            && commandLine(process).contains(jobs.toString()))
                    .mapToLong(process -> Long.parseLong(process.getFileName().toString()))
                    .findFirst()
                    .orElseThrow();
        }
    }

    private static String commandLine(Path process) {
        try {
            return Files.readString(process.resolve("cmdline"), StandardCharsets.ISO_8859_1);
        } catch (IOException gone) {
            return "";
        }
    }
}
