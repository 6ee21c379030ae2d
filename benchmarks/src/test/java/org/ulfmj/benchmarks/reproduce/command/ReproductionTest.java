package org.ulfmj.benchmarks.reproduce.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.ulfmj.benchmarks.reproduce.Experiment;
import org.ulfmj.benchmarks.reproduce.Findings;
import org.ulfmj.benchmarks.reproduce.ResultVerdict;
import org.ulfmj.benchmarks.reproduce.Row;
import org.ulfmj.benchmarks.reproduce.Setting;

class ReproductionTest {
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

    @TempDir
    Path out;

    @ParameterizedTest
    @ValueSource(strings = {"agreement-latency", "trees-of-nodes", "agreement-after-failures", "shrink-cost"})
    void shouldReproduceASmallSliceAndRejectItsControls(String name) throws Exception {
        ReproduceOptions request = ReproduceOptions.parse("--only", name, "--quick", "--out", out.toString());

        int status = reproduction().run(request, Experiments.named(request.only()));

        assertThat(status).as(text()).isZero();
        assertThat(text())
                .contains("seed 13, quick, commit ", ResultVerdict.PASS.label(), ResultVerdict.CONTROL_REJECTED.label())
                .contains("ns a byte");
        assertThat(Files.readString(out.resolve(name + ".svg"))).startsWith("<svg ");
        assertThat(Files.readAllLines(out.resolve(name + ".csv"))).hasSizeGreaterThan(2);
        assertThat(Files.readString(out.resolve("results.md")))
                .startsWith("seed 13, quick.\n")
                .contains("| `" + name + "` |");
    }

    @Test
    void shouldJudgeNoMeanThatCannotBeAnotherOne() {
        run(
                ReproduceOptions.parse("--only", "trees-of-nodes", "--quick"),
                Experiments.named(List.of("trees-of-nodes")));
        assertThat(text())
                .containsPattern("shown +mean branching of the inner ranks of bin/bin")
                .contains("1.998 over the whole tree; 2.125 in a node with two nodes below it, by construction");
    }

    @Test
    void shouldFailWhenAResultIsMissing() {
        assertThat(run(Row.result("latency", "10", "at most 10", "11", false))).isEqualTo(1);
        assertThat(text()).contains("FAIL ", "accepted if  at most 10", "FAIL: not as expected: 1 experiment");
    }

    @Test
    void shouldFailWhenAControlIsAcceptedForThenTheRuleProvesNothing() {
        assertThat(run(
                        Row.result("tree", "10", "at most 10", "9", true),
                        Row.control("wrong tree", "at most 10", "8", true)))
                .isEqualTo(1);
        assertThat(text()).contains("PASS (must fail: control)");
    }

    @Test
    void shouldPassWhenResultsAreThereAndControlsAreRejected() {
        assertThat(run(
                        Row.result("tree", "10", "at most 10", "9", true),
                        Row.control("wrong tree", "at most 10", "80", false),
                        Row.shown("and so", "", "7")))
                .isZero();
        assertThat(text())
                .contains(
                        "FAIL (as it must: control)",
                        "PASS: every result is there, every negative control was rejected");
    }

    @Test
    void shouldListAllOptionsAndExperimentsWhenHelpIsWanted() {
        assertThat(status("--help")).isZero();
        assertThat(text())
                .startsWith("Usage: benchmarks/reproduce [options]\n")
                .contains("--only=NAME,...", "--out=DIR", "--seed=S", "(default 13)", "--quick", "-h, --help")
                .contains("agreement-latency", "largest-timeout");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "--fast~unknown option --fast (benchmarks/reproduce --help lists all)",
                "--seeds 1~unknown option --seeds; did you mean --seed? (benchmarks/reproduce --help lists all)",
                "quick~'quick' belongs to no option; did you mean --quick? (benchmarks/reproduce --help lists all)",
                "--seed many~--seed many: wants a number from -9223372036854775808 to 9223372036854775807",
                "--seed 1.5~--seed 1.5: wants a number from -9223372036854775808 to 9223372036854775807",
                "--seed~--seed lacks its value; write --seed S",
                "--out~--out lacks its value; write --out DIR",
                "--only --quick~--only lacks its value; write --only NAME,...",
                "--seed 1 --seed 2~--seed is given twice; write it once",
                "--only agreement~--only agreement: there is no such experiment; the nearest is ",
                "--only shrink-cost,overlay-shapes~--only overlay-shapes: there is no such experiment; the nearest is"
                        + " overlay-shape, all are overlay-shape, ",
            })
    void shouldSayWhatIsWrong(String line, String message) {
        assertThat(status(line.split(" "))).isEqualTo(2);
        assertThat(text()).startsWith("reproduce: " + message);
    }

    private int status(String... args) {
        PrintStream stream = new PrintStream(printed, true, StandardCharsets.UTF_8);
        return Reproduction.status(args, stream, stream);
    }

    private int run(Row... rows) {
        Experiment experiment = new Experiment() {
            @Override
            public String name() {
                return "made-up";
            }

            @Override
            public String title() {
                return "made up";
            }

            @Override
            public void run(Setting setting, Findings findings) {
                List.of(rows).forEach(findings::add);
            }
        };
        return reproduction().run(ReproduceOptions.parse(), List.of(experiment));
    }

    private int run(ReproduceOptions request, List<Experiment> experiments) {
        return reproduction().run(request, experiments);
    }

    private Reproduction reproduction() {
        return new Reproduction(new PrintStream(printed, true, StandardCharsets.UTF_8));
    }

    private String text() {
        return printed.toString(StandardCharsets.UTF_8);
    }
}
