package examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests the command {@code bin/ulfm-minimise}: of a plan with which a command fails, it keeps the rules that are needed
 * for the failure.
 */
@Timeout(300)
class MinimiseIT {
    private static final Path BIN =
            Path.of("").toAbsolutePath().getParent().resolve("bin").toAbsolutePath();

    @TempDir
    Path directory;

    private record Ended(int code, String out, String err) {}

    @Test
    void shouldKeepTheTwoRulesThatFailTogether() throws Exception {
        Path plan =
                plan("# drawn from seed 42", "", "a@t=1s", "b@t=2s", "c@t=3s", "d@t=4s", "e@t=5s", "f@t=6s", "g@t=7s");
        // Exits with 7 if the plan has both rules b and f, and else with 8 if it has rule c. Only the word {} stands
        // for the plan's file, and not the one within dead={}.
        String command =
                "[ \"$2\" = 'dead={}' ] && grep -q b@ \"$1\" && grep -q f@ \"$1\" && exit 7; grep -q c@ \"$1\" && exit 8";
        Ended minimise = minimise(plan, "sh", "-c", command, "-", "{}", "dead={}");
        assertThat(minimise.code()).as(minimise.err()).isZero();
        assertThat(minimise.out()).isEqualTo("b@t=2s\nf@t=6s\n");
        assertThat(Files.readString(directory.resolve("plan.min"))).isEqualTo(minimise.out());
        assertThat(minimise.err())
                .startsWith("ulfm-minimise: 7 rules end the command with 7\n")
                .containsPattern("these rules are needed, after \\d+ runs; they are in .*plan\\.min\n");
    }

    @Test
    void shouldTryAgainWhatFailsNowAndThen() throws Exception {
        Path plan = plan("a@t=1s", "b@t=2s", "c@t=3s");
        // Of the runs whose plan has rule b, every second one fails.
        String flaky = "grep -q b@ \"$1\" || exit 0; echo >>count; exit $((1 - $(wc -l <count) % 2))";
        Ended minimise = minimise(List.of("--runs", "2"), plan, "sh", "-c", flaky, "-", "{}");
        assertThat(minimise.code()).as(minimise.err()).isZero();
        assertThat(minimise.out()).isEqualTo("b@t=2s\n");
    }

    @Test
    void shouldSayWhyItDoesNothing() throws Exception {
        Path plan = plan("a@t=1s", "b@t=2s");
        assertThat(minimise(plan, "test", "-r", "{}"))
                .isEqualTo(new Ended(
                        1, "", "ulfm-minimise: the command does not fail with " + plan + ": nothing to minimise\n"));
        Ended always = minimise(plan, "sh", "-c", "exit 3", "{}");
        assertThat(always.code()).isEqualTo(1);
        assertThat(always.err()).endsWith("without any rule, too: no fault of the plan is the reason\n");
        String usage =
                "usage: ulfm-minimise [--runs N] PLAN COMMAND..., with the word {} in COMMAND for the file of the plan\n";
        assertThat(minimise(plan, "false")).isEqualTo(new Ended(2, "", usage));
        assertThat(minimise(List.of("--runs", "0"), plan, "false", "{}"))
                .isEqualTo(new Ended(2, "", "ulfm-minimise: --runs 0: a whole number from 1 on is wanted\n"));
        Path none = directory.resolve("none");
        assertThat(minimise(none, "false", "{}"))
                .isEqualTo(new Ended(2, "", "ulfm-minimise: cannot read the plan " + none + "\n"));
    }

    @Test
    @Tag("release")
    void shouldFindTheDeathAmongOtherFaultsOfAJob() throws Exception {
        Path plan = plan(
                "slow:rank=0,ms=1@t=0s..100ms",
                "hang:rank=2@op=allreduce#1..50ms",
                "kill:rank=1@op=allreduce#1/mid",
                "stop:rank=2@t=100ms..200ms");
        Ended minimise = minimise(
                plan,
                BIN.resolve("mpiexec").toString(),
                "-n",
                "4",
                "--inject-file",
                "{}",
                "--expect",
                "dead={}",
                "java",
                "-cp",
                MpiexecRun.testPrograms(),
                "examples.LostLinks",
                "300");
        assertThat(minimise.code()).as(minimise.err()).isZero();
        assertThat(minimise.err()).startsWith("ulfm-minimise: 4 rules end the command with 121\n");
        assertThat(minimise.out()).isEqualTo("kill:rank=1@op=allreduce#1/mid\n");
    }

    private Path plan(String... lines) throws IOException {
        return Files.write(directory.resolve("plan"), List.of(lines));
    }

    private Ended minimise(Path plan, String... command) throws Exception {
        return minimise(List.of(), plan, command);
    }

    private Ended minimise(List<String> options, Path plan, String... command) throws Exception {
        List<String> words =
                new ArrayList<>(List.of(BIN.resolve("ulfm-minimise").toString()));
        words.addAll(options);
        words.add(plan.toString());
        words.addAll(List.of(command));
        Path err = directory.resolve("err");
        ProcessBuilder builder =
                new ProcessBuilder(words).directory(directory.toFile()).redirectError(err.toFile());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        Process process = builder.start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Ended(process.waitFor(), out, Files.readString(err));
    }
}
