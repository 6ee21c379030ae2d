package examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the program printed in the README, compiled and run as the README says. */
class ReadmeIT {
    private static final Pattern PROGRAM = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
    private static final Pattern RUN = Pattern.compile("^bin/mpiexec (-n 4 .*java Headcount)$", Pattern.MULTILINE);

    @Test
    void shouldCountTheSurvivorsWhenTheReadmeProgramIsRun(@TempDir Path directory) throws Exception {
        String readme = Files.readString(Path.of("..", "README.md"));
        compile(directory, find(PROGRAM, readme));

        String[] arguments = find(RUN, readme).replace("'", "").split(" ");
        String[] inDirectory = new String[arguments.length + 2];
        inDirectory[0] = "--wdir";
        inDirectory[1] = directory.toString();
        System.arraycopy(arguments, 0, inDirectory, 2, arguments.length);
        MpiexecRun run = MpiexecRun.of(Duration.ofSeconds(60), inDirectory);

        assertThat(run.exitCode()).as(run.toString()).isZero();
        assertThat(run.out()).containsExactlyInAnyOrder("rank 0: 3 of us", "rank 1: 3 of us", "rank 2: 3 of us");
    }

    private static void compile(Path directory, String program) throws IOException, InterruptedException {
        Path source = Files.writeString(directory.resolve("Headcount.java"), program);
        Path compiler = Path.of("..", "bin", "mpijavac").toAbsolutePath().normalize();
        Process javac = new ProcessBuilder(List.of(compiler.toString(), source.toString()))
                .directory(directory.toFile())
                .inheritIO()
                .start();
        assertThat(javac.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(javac.exitValue()).isZero();
    }

    private static String find(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text);
        assertThat(matcher.find()).as("README has %s", pattern).isTrue();
        return matcher.group(1);
    }
}
