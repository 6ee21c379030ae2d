package org.ulfmj.sim.exhaustive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.ulfmj.sim.mutant.AgreementMutants;
import org.ulfmj.sim.mutant.MutantLoader;

/** Every state of the small worlds keeps what the protocols promise. */
class ExhaustiveTest {
    static List<World> small() {
        return Worlds.SMALL;
    }

    @ParameterizedTest
    @MethodSource("small")
    void shouldKeepEveryPromiseWhenEveryScheduleOfASmallWorldIsTried(World world) {
        Explorer explorer = Exhaustive.explorer(world, true);
        Explorer.Result result = explorer.run();
        System.out.printf(
                "%s: complete, %,d states, %,d steps, %,d ends%n",
                world.name(), result.states(), result.transitions(), result.quiet());
        assertThat(result.isClean() ? "" : String.join("\n", explorer.story(result.finding())))
                .isEmpty();
        assertThat(result.quiet()).isPositive();
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
    void shouldRefuseAWorldThatDoesNotExist() {
        assertThatThrownBy(() -> Exhaustive.hunt("agre"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("--world agre: no such world; there are small, large, all, agree,");
    }
}
