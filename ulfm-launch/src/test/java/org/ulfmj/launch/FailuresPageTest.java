package org.ulfmj.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Checks that the longer pieces of the texts in the tables of docs/use/failures.md are in the sources, and that the
 * longest literal of each error message which a pattern finds in the sources of the launcher is on the page.
 */
class FailuresPageTest {
    private static final Pattern JOINT = Pattern.compile("\"\\s*\\+\\s*\"");
    /** The places where the launcher says something. */
    private static final Pattern SAYING = Pattern.compile(
            "(?:new UsageException|report\\.say|\\)\\.say|new EndReason|EndReason\\.\\w+|new IOException)\\(((?:\"(?:[^\"\\\\]|\\\\.)*\"|[^;\"])*?)\\);",
            Pattern.DOTALL);

    private static final Pattern LITERAL = Pattern.compile("\"((?:[^\"\\\\]|\\\\.)*)\"");
    /**
     * The least length of a text that is looked for in the sources. A shorter text, such as the end of a sentence, may
     * be common to several messages.
     */
    private static final int SHORTEST = 12;

    /** The longest literals of those messages in the sources that need not be on the page; most are no errors. */
    private static final List<String> NO_ERRORS = List.of(
            "inject: --inject-seed ",
            ") killed at ",
            " had ended already",
            "): rank ",
            ", not needed: ",
            " and passed it on",
            "the job is over",
            "opened before");

    @Test
    void shouldShowTextsThatTheSourcesHave() throws IOException {
        String sources = sources("ulfm-launch", "ulfm-rendezvous", "ulfm-runtime", "ulfm-transport");
        List<String> texts = FailuresPage.texts();
        assertThat(texts).hasSizeGreaterThan(30);
        List<String> missing = new ArrayList<>();
        for (String text : texts) {
            for (String part : text.split("…")) {
                for (String piece : pieces(part)) {
                    if (!sources.contains(piece)) {
                        missing.add(piece);
                    }
                }
            }
        }
        assertThat(missing).isEmpty();
    }

    /**
     * Splits a text of the page where the sources may have joined it from several literals, and leaves out some
     * beginnings that vary, and pieces shorter than {@link #SHORTEST}.
     */
    private static List<String> pieces(String part) {
        return Stream.of(
                        part.split(
                                "(?<=\\)), |, (?=but)|; (?=ending|the others)| (?=before MPI\\.Finalize|during MPI)|(?<=ended)/"))
                .map(piece -> piece.replaceFirst("^--bind-to (cpu-list:)?|/rank\\.0/stdout", ""))
                .map(piece -> piece.replaceFirst("^rank ", "")
                        .replace("got SIGTSTP", "")
                        .strip())
                .filter(piece -> piece.length() >= SHORTEST)
                .toList();
    }

    @Test
    void shouldHaveEachErrorOfTheSourcesOnThePage() throws IOException {
        String page = FailuresPage.text();
        List<String> missing = new ArrayList<>();
        Matcher saying = SAYING.matcher(sources("ulfm-launch"));
        int count = 0;
        while (saying.find()) {
            Matcher literals = LITERAL.matcher(saying.group(1));
            List<String> found = new ArrayList<>();
            while (literals.find()) {
                found.add(literals.group(1));
            }
            String longest =
                    found.stream().max(Comparator.comparingInt(String::length)).orElse("");
            if (longest.length() >= 4 && !NO_ERRORS.contains(longest)) {
                count++;
                if (!page.contains(longest.strip())) {
                    missing.add(longest);
                }
            }
        }
        assertThat(count).isGreaterThan(60);
        assertThat(missing).isEmpty();
    }

    /**
     * The sources of these modules in one text, in which string literals that are joined over several lines are one
     * literal.
     */
    private static String sources(String... modules) throws IOException {
        StringBuilder all = new StringBuilder();
        for (String module : modules) {
            try (Stream<Path> files = Files.walk(Path.of("..", module, "src", "main", "java"))) {
                for (Path file :
                        files.filter(each -> each.toString().endsWith(".java")).toList()) {
                    all.append(Files.readString(file));
                }
            }
        }
        return JOINT.matcher(all).replaceAll("");
    }
}
