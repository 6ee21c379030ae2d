package org.ulfmj.benchmarks.peer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.ulfmj.benchmarks.StandIn;
import org.ulfmj.benchmarks.job.Commands;
import org.ulfmj.benchmarks.job.JobSpec;
import org.ulfmj.benchmarks.job.MeasuredJob;
import org.ulfmj.benchmarks.job.WholeJob;
import org.ulfmj.benchmarks.result.Windows;

/**
 * Tests that the programs {@code PeerCells}, {@code Hello} and {@code FirstSeconds}, with all our classes that they
 * use, compile against a stand-in for Open MPI's Java bindings and run with it, and that the comparison finds such a
 * binding in a given folder or says that there is none.
 */
final class ProgramsTest {
    @TempDir
    Path folder;

    private StandIn openMpi;

    @BeforeEach
    void install() throws Exception {
        openMpi = new StandIn(folder);
    }

    @Test
    void shouldCompileEverythingThatTheProgramsUse() throws Exception {
        Path classes = folder.resolve("programs");
        new Programs(StandIn.HOME).compile(openMpi.library(), classes, "PeerCells", "Hello", "FirstSeconds");

        String classPath = openMpi.library() + ":" + classes;
        String hello = Programs.PACKAGE + "Hello";
        assertThat(Commands.run(List.of(Java.home("java"), "-cp", classPath, hello)))
                .isEqualTo("hello from 1\n");
        assertThat(Commands.run(List.of(Java.home("java"), "-cp", classPath, hello, "threads")))
                .contains("used ")
                .contains("the ranks' programs from Init to Finalize");
        assertThat(Commands.run(List.of(Java.home("java"), "-cp", classPath, hello, "memory")))
                .contains("resident ");
        assertThat(classes.resolve("mpi")).doesNotExist();

        List<String> cells = List.of(Java.home("java"), "-cp", classPath, Programs.PACKAGE + "PeerCells");
        try (MeasuredJob job = MeasuredJob.start(new JobSpec("stand-in", cells, Map.of(), false), 1)) {
            assertThat(job.round("allreduce", 8, 1, 100)).isPositive();
            assertThat(job.round("ppsw", 8, 1, 100)).isPositive();
        }
        List<String> first = List.of(Java.home("java"), "-cp", classPath, Programs.PACKAGE + "FirstSeconds");
        String said = WholeJob.run(new JobSpec("stand-in", first, Map.of(), false), 1, "mix", 1);
        // Besides the number of windows only the sum of their counts is checked: a program that is held up for a moment
        // does nothing in some of them.
        assertThat(Windows.parse(said, 1))
                .hasSize(10)
                .matches(counts -> LongStream.of(counts).sum() > 0, "counts");
    }

    @Test
    void shouldFindTheBindingWhereTheUserSaysAnOpenMpiIs() throws Exception {
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        OtherMpis peers = new OtherMpis(
                StandIn.HOME, List.of("ompi"), folder, new PrintStream(said, true, StandardCharsets.UTF_8));

        assertThat(peers.found()).anySatisfy(peer -> {
            assertThat(peer.label()).isEqualTo("ompi-java");
            assertThat(peer.version()).startsWith("mpirun (Open MPI) 5.0.10, Java binding");
            assertThat(peer.hello().with(2, "shm").command()).contains(Programs.PACKAGE + "Hello");
            assertThat(peer.firstSeconds().with(2, "shm").command()).contains(Programs.PACKAGE + "FirstSeconds");
        });
        assertThat(said.toString(StandardCharsets.UTF_8)).contains("ompi@: no " + folder.resolve("bin/mpicc"));
    }

    @Test
    void shouldSayThatAnOpenMpiHasNoBinding() throws Exception {
        Files.delete(openMpi.library());
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        OtherMpis peers = new OtherMpis(
                StandIn.HOME, List.of("ompi"), folder, new PrintStream(said, true, StandardCharsets.UTF_8));

        assertThat(peers.found()).noneMatch(peer -> peer.label().equals("ompi-java"));
        assertThat(said.toString(StandardCharsets.UTF_8)).contains("has no Java binding");
    }
}
