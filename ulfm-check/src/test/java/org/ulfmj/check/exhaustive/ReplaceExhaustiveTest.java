package org.ulfmj.check.exhaustive;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.ulfmj.check.mutant.GrowMutants;
import org.ulfmj.check.mutant.ReplaceMutants;
import org.ulfmj.sim.mutant.Mutant;
import org.ulfmj.sim.mutant.MutantLoader;

/**
 * In every state that the small worlds of replace() and grow() can reach, the promises of the protocol hold. If one of
 * some rules is left out, a promise is broken. A schedule that does not end is found, too.
 */
class ReplaceExhaustiveTest {
    static Stream<Mutant> someMutants() {
        return Stream.of(ReplaceMutants.P2_FAILED);
    }

    static Stream<Mutant> otherMutants() {
        return Stream.of(
                ReplaceMutants.P2_OFFERS,
                ReplaceMutants.P2_WAITS,
                ReplaceMutants.P4,
                ReplaceMutants.P5_EVERYBODY,
                ReplaceMutants.P10,
                ReplaceMutants.P12);
    }

    static Stream<Mutant> mutantsOfGrow() {
        return Stream.of(
                GrowMutants.G4_JOINERS,
                GrowMutants.G4_FAILED,
                GrowMutants.G5_ALL_ENTER,
                GrowMutants.G6,
                ReplaceMutants.P5_EVERYBODY,
                ReplaceMutants.P10,
                ReplaceMutants.P12);
    }

    @Tag("long")
    @ParameterizedTest
    @ValueSource(strings = {"replace-begun-0", "grow-begun-0"})
    void shouldKeepEveryPromiseWhenEveryScheduleIsTried(String world) throws IOException {
        explore(ReplaceSmall.named(world));
    }

    @Tag("release")
    @ParameterizedTest
    @ValueSource(strings = {"replace", "replace-strict", "replace-begun-1", "replace-begun-2", "grow-1"})
    void shouldKeepEveryPromiseWhenEveryScheduleOfTheOtherWorldsIsTried(String world) throws IOException {
        explore(ReplaceSmall.named(world));
    }

    private static void explore(ReplaceSmall world) throws IOException {
        ReplaceSearch search = ReplaceExhaustive.search(world);
        search.run();
        assertThat(search.story()).isEmpty();
        String row = row(world, search.states(), search.ends());
        System.out.println(row);
        List<String> page = Files.readAllLines(Path.of("../docs/verified/exhaustive.md"));
        assertThat(page).as("the rows of docs/verified/exhaustive.md").contains(row);
    }

    private static String row(ReplaceSmall world, long states, SortedMap<ReplaceEnd, Long> ends) {
        StringBuilder row = new StringBuilder(String.format(Locale.ROOT, "| `%s` | %,d |", world, states));
        for (ReplaceEnd end : ReplaceEnd.values()) {
            row.append(String.format(Locale.ROOT, " %,d |", ends.getOrDefault(end, 0L)));
        }
        return row.toString();
    }

    @Tag("long")
    @ParameterizedTest
    @MethodSource("someMutants")
    void shouldFindAScheduleThatBreaksAPromiseWhenARuleIsMissing(Mutant mutant) {
        requireBroken(mutant);
    }

    @Tag("release")
    @ParameterizedTest
    @MethodSource("otherMutants")
    void shouldFindAScheduleThatBreaksAPromiseWhenAnotherRuleIsMissing(Mutant mutant) {
        requireBroken(mutant);
    }

    @Tag("release")
    @ParameterizedTest
    @MethodSource("mutantsOfGrow")
    void shouldFindAScheduleThatBreaksAPromiseWhenARuleOfGrowIsMissing(Mutant mutant) {
        requireBroken(mutant, "grow-1");
    }

    @Test
    void shouldTellTheScheduleToAStateThatComesAgainWhenSchedulesDoNotEnd() {
        Mutant mutant = Mutant.of(
                "schedules end",
                ReplaceSearch.class.getName(),
                "edges.add(from, to);",
                "edges.add(from, to); if (from == 4) { edges.add(from, from); }");
        Object story = new MutantLoader(mutant).call(ReplaceExhaustive.class.getName(), "story", "grow-begun-0");
        assertThat(story.toString())
                .startsWith("seat ")
                .endsWith("broken: processes can go on for ever without getting anywhere");
    }

    private static void requireBroken(Mutant mutant) {
        requireBroken(mutant, ReplaceSmall.ALL.get(0).name());
    }

    private static void requireBroken(Mutant mutant, String world) {
        Object story = new MutantLoader(mutant).call(ReplaceExhaustive.class.getName(), "story", world);
        assertThat(story.toString()).as(mutant.rule()).contains("broken: ");
    }
}
