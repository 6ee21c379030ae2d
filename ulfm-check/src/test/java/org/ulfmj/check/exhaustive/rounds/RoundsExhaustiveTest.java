package org.ulfmj.check.exhaustive.rounds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.ulfmj.check.mutant.Gate;
import org.ulfmj.check.mutant.Hunt;
import org.ulfmj.check.mutant.RoundsMutants;
import org.ulfmj.check.mutant.Trial;
import org.ulfmj.sim.mutant.Mutant;
import org.ulfmj.sim.mutant.MutantLoader;

/**
 * In every state that the small worlds of the rendezvous can reach, the promises of its core hold. If a rule is left
 * out, a promise is broken, and the search tells a schedule of few steps. An unknown world is refused.
 */
class RoundsExhaustiveTest {
    static List<RoundsSmall> smallWorlds() {
        return RoundsSmall.ALL;
    }

    static List<RoundsSmall> largeWorlds() {
        return RoundsSmall.LARGE;
    }

    static List<Trial> largeTrials() {
        return RoundsMutants.large();
    }

    @Tag("long")
    @ParameterizedTest
    @MethodSource("smallWorlds")
    void shouldKeepEveryPromiseWhenEveryScheduleIsTried(RoundsSmall world) throws IOException {
        explore(world);
    }

    @Tag("release")
    @ParameterizedTest
    @MethodSource("largeWorlds")
    void shouldKeepEveryPromiseWhenEveryScheduleOfALargerWorldIsTried(RoundsSmall world) throws IOException {
        explore(world);
    }

    @Tag("release")
    @ParameterizedTest
    @MethodSource("largeTrials")
    void shouldCatchTheMutantWhenARuleIsLeftOut(Trial trial) {
        Hunt.Catch caught = Hunt.hunt(trial);
        assertThat(Gate.isPassed(trial, caught)).as(() -> trial + ": " + caught).isTrue();
    }

    @Test
    void shouldTellTheShortestScheduleWhenAPromiseIsBroken() {
        Mutant dropped = Mutant.of(
                "no table",
                "org.ulfmj.rendezvous.RendezvousCore",
                "for (Seat seat : roster.holders()) {\n            out.send(seat.nonce(), table);",
                "for (Seat seat : List.<Seat>of()) {\n            out.send(seat.nonce(), table);");
        String story =
                (String) new MutantLoader(dropped).call(RoundsExhaustive.class.getName(), "story", "rounds-held");
        assertThat(story.lines())
                .hasSizeLessThan(12)
                .anyMatch(line -> line.contains("0 joins"))
                .last()
                .asString()
                .startsWith("broken: ");
    }

    @Test
    void shouldRefuseAnUnknownWorld() {
        assertThatThrownBy(() -> RoundsSmall.named("rounds-none"))
                .hasMessage("no world of rounds is called rounds-none");
    }

    private static void explore(RoundsSmall world) throws IOException {
        RoundsSearch search = RoundsExhaustive.search(world);
        assertThat(search.story()).isEmpty();
        String row = String.format(
                Locale.ROOT,
                "| `%s` | %d | %s | %s | %,d | %,d | %s |",
                world.name(),
                world.seats(),
                world.isStatic() ? "static" : world.min() + " to " + world.max(),
                world.faults(),
                search.states(),
                search.ends(),
                world.about());
        System.out.println(row);
        List<String> page = Files.readAllLines(Path.of("../docs/verified/exhaustive.md"));
        assertThat(page).as("the rows of docs/verified/exhaustive.md").contains(row);
    }
}
