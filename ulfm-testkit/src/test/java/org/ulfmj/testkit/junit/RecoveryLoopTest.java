package org.ulfmj.testkit.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.testkit.engine.EngineTestKit;

/**
 * Tests what docs/use/simulated-programs.md shows: the simulator finds the mistakes in the two loops that the page
 * calls wrong and none in the third, its messages have the parts that the page shows, and the page's code is that of
 * {@link RecoveryLoop}.
 */
class RecoveryLoopTest {
    private static final Path PAGE = Path.of("../docs/use/simulated-programs.md");
    private static final Path SOURCE = Path.of("src/test/java/org/ulfmj/testkit/junit/RecoveryLoop.java");
    private static final Pattern CODE = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

    /** Patterns for the parts of the message that a reader looks for; numbers differ by the seed that was found. */
    private static final List<String> PARTS = List.of(
            "seed \\d+ of 1\\.\\.200 fails: ",
            "\n  faults +kill:rank=\\d@op=\\*#\\d+; kill:rank=\\d@op=\\*#\\d+   \\(drawn from \"kill:rank=any\\(2\\)@op=\\*\"\\)",
            "\n  run it +mvn test -Dtest='org\\.ulfmj\\.testkit\\.junit\\.RecoveryLoop#METHOD' -Dsim\\.seed=\\d+",
            "\n  minimised +kill:rank=\\d@op=\\*#\\d+(; kill:rank=\\d@op=\\*#\\d+)?, \\d ranks, seed \\d+ \\(\\d+ runs\\)",
            "\n  run that +mvn test .* -Dsim\\.ranks=\\d -Dsim\\.faults='kill:rank=\\d@op=\\*#\\d+(; kill:rank=\\d@op=\\*#\\d+)?'",
            "\n  rank \\d +KILLED \\(kill:rank=\\d@op=\\*#\\d+\\)",
            "\n    did last .*revoke \\(\\d+\\.\\d+ ms\\), shrink \\(\\d+\\.\\d+ ms\\)");

    @ParameterizedTest
    @ValueSource(strings = {"asItWasFirstWritten", "goingBackToACommonStep"})
    void shouldCatchTheLoopAndPrintWhatThePageShows(String method) throws IOException {
        String text = result(method).getThrowable().orElseThrow().getMessage();
        String page = Files.readString(PAGE);
        for (String part : PARTS) {
            String pattern = part.replace("METHOD", method);
            assertThat(text).containsPattern(pattern);
            assertThat(page).containsPattern(pattern);
        }
        assertThat(text).containsPattern("who waits for whom|must make the same recovery calls|the results differ");
    }

    @Test
    void shouldFindNothingInTheMendedLoop() {
        assertThat(result("agreeingOnEachStep").getThrowable()).isEmpty();
    }

    @Test
    void shouldShowTheCodeThatIsTested() throws IOException {
        String source = Files.readString(SOURCE).replaceAll("\\s+", " ");
        Matcher code = CODE.matcher(Files.readString(PAGE));
        int blocks = 0;
        while (code.find()) {
            if (code.group(1).contains("comm.shrink()")) {
                assertThat(source).contains(code.group(1).strip().replaceAll("\\s+", " "));
                blocks++;
            }
        }
        assertThat(blocks).isEqualTo(3);
    }

    private static TestExecutionResult result(String method) {
        return EngineTestKit.engine("junit-jupiter")
                .selectors(selectMethod(RecoveryLoop.class, method, SimulatedRank.class.getName()))
                .execute()
                .testEvents()
                .finished()
                .stream()
                .map(event -> event.getRequiredPayload(TestExecutionResult.class))
                .findFirst()
                .orElseThrow();
    }
}
