package org.ulfmj.benchmarks.peer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.ulfmj.benchmarks.StandIn;

/** Tests that the programs in C and in Java know the same words for operations. */
final class WordsTest {
    private static final Path SOURCES = StandIn.HOME.resolve("benchmarks/src/main");
    private static final Path PROGRAMS = SOURCES.resolve("java/org/ulfmj/benchmarks/program");
    private static final Pattern IN_C = Pattern.compile("\\{\"(\\w+)\", \\w+}");
    private static final Pattern IN_JAVA = Pattern.compile("case \"(\\w+)\":");

    @Test
    void shouldBeTheSameForCells() throws Exception {
        List<String> words = words(PROGRAMS.resolve("Cells.java"), IN_JAVA);

        assertThat(words).contains("pp", "ppsw", "barrier");
        assertThat(words(SOURCES.resolve("c/cells.c"), IN_C)).containsExactlyElementsOf(words);
        assertThat(words(SOURCES.resolve("mpj/MpjCells.java"), IN_JAVA)).containsExactlyInAnyOrderElementsOf(words);
    }

    @Test
    void shouldBeTheSameForFirstSeconds() throws Exception {
        assertThat(words(PROGRAMS.resolve("FirstSeconds.java"), IN_JAVA))
                .containsExactly("pp", "allreduce", "barrier", "mix")
                .containsExactlyElementsOf(words(SOURCES.resolve("c/first.c"), IN_C));
    }

    private static List<String> words(Path source, Pattern pattern) throws IOException {
        return pattern.matcher(Files.readString(source))
                .results()
                .map((MatchResult found) -> found.group(1))
                .toList();
    }
}
