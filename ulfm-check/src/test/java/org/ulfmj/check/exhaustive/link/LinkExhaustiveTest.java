package org.ulfmj.check.exhaustive.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.ulfmj.sim.mutant.Mutant;
import org.ulfmj.sim.mutant.MutantLoader;

/**
 * In every state that the small worlds of links can reach, the promises of the link session hold. If a promise is
 * broken, the search tells a schedule of few steps.
 */
class LinkExhaustiveTest {
    static List<LinkSmall> smallWorlds() {
        return LinkSmall.ALL;
    }

    static List<LinkSmall> largeWorlds() {
        return LinkSmall.LARGE;
    }

    @Tag("long")
    @ParameterizedTest
    @MethodSource("smallWorlds")
    void shouldKeepEveryPromiseWhenEveryScheduleIsTried(LinkSmall world) throws IOException {
        explore(world);
    }

    @Tag("release")
    @ParameterizedTest
    @MethodSource("largeWorlds")
    void shouldKeepEveryPromiseWhenEveryScheduleOfALargerWorldIsTried(LinkSmall world) throws IOException {
        explore(world);
    }

    @Test
    void shouldTellTheShortestScheduleWhenAPromiseIsBroken() {
        Mutant deaf = Mutant.of(
                "no timer",
                "org.ulfmj.transport.session.LinkSession",
                "return isResumed && adopted != null && next",
                "return false && next");
        String story = (String) new MutantLoader(deaf).call(LinkExhaustive.class.getName(), "story", "links-cut");
        assertThat(story.lines())
                .hasSizeLessThan(12)
                .anyMatch(line -> line.contains("low  cut and lost connection 0"))
                .last()
                .asString()
                .startsWith("broken: frames are handed over");
    }

    private static void explore(LinkSmall world) throws IOException {
        LinkSearch search = LinkExhaustive.search(world);
        assertThat(search.story()).isEmpty();
        String row = String.format(
                Locale.ROOT,
                "| `%s` | %d + %d | %d | %d | %,d | %,d | %s |",
                world.name(),
                world.low(),
                world.high(),
                world.cuts(),
                world.early(),
                search.states(),
                search.ends(),
                world.about());
        List<String> page = Files.readAllLines(Path.of("../docs/verified/exhaustive.md"));
        assertThat(page).as("the rows of docs/verified/exhaustive.md").contains(row);
    }
}
