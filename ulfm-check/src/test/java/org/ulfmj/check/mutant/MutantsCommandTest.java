package org.ulfmj.check.mutant;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the output of {@code mutants} for three mutants, one at a time, that the search of a small world catches. */
class MutantsCommandTest {
    @ParameterizedTest
    @CsvSource({"links", "rounds", "agree"})
    void shouldTellTheShortestScheduleThatCatchesTheOnlyMutant(String kind) {
        Trial only = Gate.all().stream()
                .filter(trial ->
                        trial.where() == Trial.Where.WORLD && trial.place().startsWith(kind))
                .findFirst()
                .orElseThrow();
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        int status = MutantsCommand.print(List.of(only), new PrintStream(printed, true, StandardCharsets.UTF_8));
        List<String> lines = printed.toString(StandardCharsets.UTF_8).lines().toList();
        assertThat(status).isZero();
        assertThat(lines.get(1)).contains("world " + only.place());
        assertThat(lines).hasSizeGreaterThan(5);
        assertThat(lines.get(lines.size() - 1)).isEqualTo("1 mutants, 0 not caught");
    }
}
