package org.ulfmj.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.ulfmj.command.UsageException;
import org.ulfmj.launch.Launched.Ended;
import org.ulfmj.launch.command.CommandLine;
import org.ulfmj.launch.program.Installation;

/** Checks that the command lines of docs/use/failures.md give the exit codes and messages that the page shows. */
class FailuresIT {
    private static final int REALLY_RUN = 10;

    /** A jar with a stand-in for the class {@code examples.Digits} alone: the real jar is built after this module. */
    private static Path examples;

    @BeforeAll
    static void makeExamples(@TempDir Path directory) throws IOException {
        examples = directory.resolve("examples.jar");
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(examples))) {
            out.putNextEntry(new ZipEntry("examples/Digits.class"));
            out.write("\1\0\4main\1\0\26([Ljava/lang/String;)V".getBytes(StandardCharsets.ISO_8859_1));
        }
    }

    /** All command lines of the page that have an answer there, except {@code mpiexec doctor}, which starts no job. */
    static Stream<FailuresPage.Answered> commands() {
        return FailuresPage.commands().stream()
                .filter(each -> !each.words().get(0).equals("doctor"));
    }

    static Stream<FailuresPage.Answered> some() {
        List<FailuresPage.Answered> all = FailuresPage.commands().stream()
                .filter(each -> !each.words().contains("examples"))
                .toList();
        int step = all.size() / REALLY_RUN;
        return Stream.iterate(0, at -> at + step).limit(REALLY_RUN).map(all::get);
    }

    @ParameterizedTest
    @MethodSource("commands")
    void shouldGiveTheAnswerOfThePage(FailuresPage.Answered command) {
        Installation ours = Installation.running();
        Installation installation = new Installation(ours.jar(), examples, ours.java());
        CommandLine line = new CommandLine(installation, Map.of("PATH", "/usr/bin:/bin"));
        UsageException answer = null;
        try {
            line.parse(command.words().toArray(String[]::new));
        } catch (UsageException e) {
            answer = e;
        }
        assertThat(answer).as(command.toString()).isNotNull();
        assertThat(answer.exitCode()).isEqualTo(command.code());
        assertThat(command.fits(answer.getMessage())).as(answer.getMessage()).isTrue();
    }

    @ParameterizedTest
    @MethodSource("some")
    void shouldAnswerAndStartNothing(FailuresPage.Answered command) throws InterruptedException {
        Ended ended = Launched.run(command.words().toArray(String[]::new));
        assertThat(ended.exitCode()).as(ended.err()).isEqualTo(command.code());
        assertThat(ended.out()).isEmpty();
        assertThat(ended.err()).startsWith("mpiexec: ").endsWith("\n");
        assertThat(command.fits(ended.err().substring("mpiexec: ".length()).stripTrailing()))
                .as(ended.err())
                .isTrue();
    }

    @Test
    void shouldHelpAndExamine() throws InterruptedException {
        Ended help = Launched.run("--help");
        assertThat(help.exitCode()).isZero();
        assertThat(help.out())
                .contains("mpiexec -n N [options] COMMAND [args] : -n N", "mpiexec doctor [N]", "--forward-signals")
                .doesNotContain("\t");
        Ended doctor = Launched.run("doctor", "1");
        assertThat(doctor.exitCode()).as(doctor.out()).isLessThan(2);
        assertThat(doctor.out().lines()).anyMatch(line -> line.startsWith("cores: "));
        assertThat(doctor.out()).containsPattern("(nothing to change|to change:\n  .*)\n");
    }
}
