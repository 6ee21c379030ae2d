package org.ulfmj.check.exhaustive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.ulfmj.check.mutant.AgreementMutants;
import org.ulfmj.sim.mutant.Mutant;
import org.ulfmj.sim.mutant.MutantLoader;

/**
 * In every state that the small worlds can reach, the promises of the protocols hold. Also tested: the rows of the page
 * of the worlds, that a reduced search comes to as many ends as a whole one, the schedules that the search tells, and
 * that an unknown world is refused.
 */
class ExhaustiveTest {
    /** The names of those small worlds that are searched only by tests with the tag {@code long}. */
    private static final Set<String> LARGER =
            Set.of("agree", "agree-hosts", "agree-overlapping", "agree-revoke", "finalize", "housekeeping-finalize");

    static Stream<World> small() {
        return SmallWorlds.SMALL.stream().filter(world -> !LARGER.contains(world.name()));
    }

    static Stream<World> larger() {
        return SmallWorlds.SMALL.stream().filter(world -> LARGER.contains(world.name()));
    }

    @ParameterizedTest
    @MethodSource("small")
    void shouldKeepEveryPromiseWhenEveryScheduleOfASmallWorldIsTried(World world) {
        explore(world);
    }

    @Tag("long")
    @ParameterizedTest
    @MethodSource("larger")
    void shouldKeepEveryPromiseWhenEveryScheduleOfALargerWorldIsTried(World world) {
        explore(world);
    }

    private static void explore(World world) {
        Explorer explorer = Exhaustive.explorer(world, true);
        Explorer.Result result = explorer.run();
        System.out.printf(
                "%s: complete, %,d states, %,d steps, %,d ends%n",
                world.name(), result.states(), result.transitions(), result.quiet());
        assertThat(result.isClean() ? "" : String.join("\n", explorer.story(result.finding())))
                .isEmpty();
        assertThat(result.quiet()).isPositive();
        assertThat(WorldsPage.read().row(world.name()))
                .as("the row of docs/verified/exhaustive.md")
                .isEqualTo(WorldsPage.Row.of(world, result.states()));
    }

    /**
     * The page docs/verified/exhaustive.md has rows, in the tables that {@link WorldsPage} reads, for the small and the
     * large worlds and for no other. Numbers of states of large worlds are not checked.
     */
    @Test
    void shouldHaveARowOnThePageForEachWorldAndNoOther() {
        WorldsPage page = WorldsPage.read();
        assertThat(page.names())
                .containsExactlyInAnyOrderElementsOf(
                        Stream.concat(SmallWorlds.SMALL.stream(), SmallWorlds.LARGE.stream())
                                .map(World::name)
                                .toList());
        for (World world : SmallWorlds.LARGE) {
            WorldsPage.Row row = page.row(world.name());
            assertThat(row).isEqualTo(WorldsPage.Row.of(world, row.states()));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "agree-news",
                "agree-twice",
                "agree-revoke-shrink",
                "agree-mutual",
                "agree-suspicion",
                "agree-uniform",
                "finalize-news",
                "finalize-alone",
                "obituaries"
            })
    @Tag("long")
    void shouldComeToTheSameEndsWhenNothingIsReduced(String name) {
        World world = Exhaustive.named(name);
        Explorer.Result reduced = Exhaustive.explorer(world, true).run();
        Explorer.Result whole = Exhaustive.explorer(world, false).run();
        assertThat(whole.isClean()).isTrue();
        assertThat(whole.quiet()).isEqualTo(reduced.quiet());
        assertThat(whole.states()).isGreaterThan(reduced.states());
    }

    @Test
    void shouldTellTheShortestScheduleWhenAPromiseIsBroken() {
        String story = (String)
                new MutantLoader(AgreementMutants.PURE_TREE).call(Exhaustive.class.getName(), "story", "agree-news");
        assertThat(story.lines().map(line -> line.substring(0, Math.min(22, line.length()))))
                .containsExactly(
                        "  1   0  dies",
                        "  2   1  calls        ",
                        "      1    sends      ",
                        "  3   1  learns       ",
                        "      1    sends      ",
                        "      1    returns    ",
                        "broken: agreement 1: 1");
        assertThat(story).endsWith("live 2 is missing in it");
    }

    @Test
    void shouldTellTheScheduleToAStateThatComesAgainWhenSchedulesDoNotEnd() {
        Mutant mutant = Mutant.of(
                "schedules end",
                Explorer.class.getName(),
                "edges.add(from, to);",
                "edges.add(from, to); if (from == 4) { edges.add(from, from); }");
        String story = (String) new MutantLoader(mutant).call(Exhaustive.class.getName(), "story", "obituaries");
        assertThat(story).startsWith("  1 ").endsWith("broken: ranks can go on for ever without getting anywhere");
    }

    @Test
    void shouldRefuseAWorldThatDoesNotExist() {
        assertThatThrownBy(() -> Exhaustive.hunt("agre"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(
                        "--world agre: no such world; the nearest is agree, all are small large all agree ");
    }
}
