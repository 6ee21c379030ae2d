package examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that the programs of the tutorial, compiled and run as the page says, print what the page says. */
class TutorialIT {
    private static final Path PAGE = Path.of("..", "docs", "use", "tutorial.md");
    private static final Pattern PROGRAM = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
    private static final Pattern CLASS = Pattern.compile("^(?:public )?class (\\w+)", Pattern.MULTILINE);

    /** A command in the page, with its exit code and its output, which follow it. */
    private static final Pattern RUN = Pattern.compile(
            "```sh\nbin/mpiexec ([^\n]*)\n```\n\nends with exit code (\\d+)[^\n]*\n\n```\n(.*?)```", Pattern.DOTALL);

    @Test
    void shouldPrintWhatThePageSaysWhenItsProgramsAreRun(@TempDir Path directory) throws Exception {
        String page = Files.readString(PAGE);
        compile(directory, page);

        List<MatchResult> runs = RUN.matcher(page).results().toList();
        assertThat(runs).hasSize(5);
        for (MatchResult run : runs) {
            MpiexecRun result = MpiexecRun.of(Duration.ofSeconds(60), arguments(directory, run.group(1)));

            assertThat(result.exitCode()).as(result.toString()).isEqualTo(Integer.parseInt(run.group(2)));
            assertThat(result.out().stream().map(TutorialIT::ofSixthRound).toList())
                    .as(result.toString())
                    .containsExactlyInAnyOrderElementsOf(outputOfPrograms(run.group(3)));
        }
    }

    /**
     * A slow rank may still be in the fifth round when another rank dies in the sixth, and then has completed four
     * rounds and not five. Returns the line as the page has it, with five rounds.
     */
    private static String ofSixthRound(String line) {
        return line.replaceFirst("^(rank \\d: )4( rounds, .*)", "$15$2").replaceFirst("(go on from round )4$", "$15");
    }

    private static String[] arguments(Path directory, String commandLine) {
        return Stream.concat(
                        Stream.of("--wdir", directory.toString()),
                        Stream.of(commandLine.replace("'", "").split(" ")))
                .toArray(String[]::new);
    }

    /**
     * Returns the output lines of the programs, without the launcher's lines, whose pids and times differ from run to
     * run.
     */
    private static List<String> outputOfPrograms(String output) {
        return output.lines().filter(line -> !line.startsWith("mpiexec: ")).toList();
    }

    private static void compile(Path directory, String page) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(
                Path.of("..", "bin", "mpijavac").toAbsolutePath().normalize().toString());
        Matcher programs = PROGRAM.matcher(page);
        while (programs.find()) {
            String program = programs.group(1);
            Matcher named = CLASS.matcher(program);
            assertThat(named.find()).as(program).isTrue();
            command.add(Files.writeString(directory.resolve(named.group(1) + ".java"), program)
                    .toString());
        }
        assertThat(command).hasSize(1 + 6);
        Process javac = new ProcessBuilder(command)
                .directory(directory.toFile())
                .inheritIO()
                .start();
        assertThat(javac.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(javac.exitValue()).isZero();
    }
}
