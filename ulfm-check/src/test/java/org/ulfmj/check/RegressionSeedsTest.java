package org.ulfmj.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.ulfmj.check.mutant.Gate;
import org.ulfmj.check.mutant.Hunt;
import org.ulfmj.check.mutant.Trial;
import org.ulfmj.sim.mutant.Mutant;
import org.ulfmj.sim.mutant.MutantLoader;

/**
 * Runs seeds that once found a bug. After a change of the simulator a seed may stand for a schedule without any
 * difficulty; so the line of each seed in the file also names a rule, and leaving that rule out must break the line's
 * schedule. A line whose schedule no longer breaks needs another seed.
 */
class RegressionSeedsTest {
    private static final Pattern LINE =
            Pattern.compile("(?<schedule>[\\w-]+ \\d+ \\d+( without=[\\d,]+)?) catches=(?<rule>\\S+) .+");

    static Stream<String> seeds() throws IOException {
        List<String> lines = Files.readAllLines(Path.of("regression-seeds.txt"));
        return lines.stream().filter(line -> !line.isBlank() && !line.startsWith("#"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("seeds")
    void shouldBreakNoInvariantAnyMore(String line) {
        assertThat(Hunt.brokenIn(read(line).group("schedule"))).isEmpty();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("seeds")
    void shouldStillNoticeWhenItsRuleIsLeftOut(String line) {
        String rule = read(line).group("rule").replace('_', ' ');
        List<Trial> trials = Gate.all().stream()
                .filter(trial -> trial.mutant().rule().equals(rule))
                .toList();
        assertThat(trials).as("mutants of the rule " + rule).isNotEmpty();
        Mutant mutant = trials.get(0).mutant();
        assertThat(Hunt.brokenIn(new MutantLoader(mutant), read(line).group("schedule")))
                .as(line)
                .isNotEmpty()
                .doesNotStartWith("a step threw");
    }

    private static Matcher read(String line) {
        Matcher fields = LINE.matcher(line);
        assertThat(fields.matches())
                .as("protocol, ranks, seed, perhaps without=2,5, catches=RULE and what it was: " + line)
                .isTrue();
        return fields;
    }
}
