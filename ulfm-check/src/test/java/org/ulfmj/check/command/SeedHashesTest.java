package org.ulfmj.check.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.ulfmj.sim.Scenario;
import org.ulfmj.sim.Scenarios;
import org.ulfmj.sim.SeedRange;

/**
 * The log hashes of the first seeds are those that are kept in a file, so a change that should not change behaviour
 * shows that it does not. A change of behaviour writes the kept lines anew with {@code bin/ulfm-sim hashes}.
 */
class SeedHashesTest {
    private static final SeedRange RANKS = new SeedRange(2, 16);
    private static final int KEPT_SEEDS = 1_000;

    static Stream<Scenario> scenarios() {
        return Scenarios.all().stream();
    }

    @ParameterizedTest
    @MethodSource("scenarios")
    void shouldFindTheKeptHashOfTheFirstSeeds(Scenario scenario) throws IOException {
        SeedRange first = new SeedRange(1, SeedHashes.SEEDS_PER_LINE);
        assertThat(SeedHashes.lines(scenario, RANKS, first))
                .containsExactly(kept(scenario).get(0));
    }

    @Tag("release")
    @ParameterizedTest
    @MethodSource("scenarios")
    void shouldFindTheKeptHashesOfAllSeeds(Scenario scenario) throws IOException {
        assertThat(SeedHashes.lines(scenario, RANKS, new SeedRange(1, KEPT_SEEDS)))
                .isEqualTo(kept(scenario));
    }

    private static List<String> kept(Scenario scenario) throws IOException {
        try (InputStream in = SeedHashesTest.class.getResourceAsStream("/hashes.txt")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> line.startsWith(scenario.name() + " "))
                    .toList();
        }
    }
}
