package org.ulfmj.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Tests the Markdown pages that lie directly in the root folder, benchmarks and examples, or up to three levels below
 * docs. Every link outside code and without a scheme leads to a file that exists, and to a heading of it if it names
 * one; and links lead from docs/README.md to each page below docs but ADRs.
 */
final class DocumentsTest {
    private static final Path HOME = StandIn.HOME.toAbsolutePath().normalize();
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
    private static final Pattern CODE = Pattern.compile("(?s)```.*?```|`[^`\\n]*`");
    private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.+)$");

    @Test
    void shouldLeadSomewhereWhenFollowed() throws IOException {
        List<String> broken = new ArrayList<>();
        for (Path page : pages()) {
            for (String link : linksOf(page)) {
                String[] parts = link.split("#", 2);
                Path target = parts[0].isEmpty() ? page : page.resolveSibling(parts[0]);
                boolean isThere = Files.exists(target)
                        && (parts.length == 1 || anchorsOf(target.normalize()).contains(parts[1]));
                if (!isThere) {
                    broken.add(HOME.relativize(page) + ": " + link);
                }
            }
        }
        assertThat(broken).isEmpty();
    }

    @Test
    void shouldBeFoundFromTheIndex() throws IOException {
        Set<Path> reached = new TreeSet<>();
        ArrayDeque<Path> open = new ArrayDeque<>(List.of(HOME.resolve("docs/README.md")));
        while (!open.isEmpty()) {
            Path page = open.remove();
            if (reached.add(page) && page.toString().endsWith(".md")) {
                for (String link : linksOf(page)) {
                    open.add(page.resolveSibling(link.split("#", 2)[0]).normalize());
                }
            }
        }
        assertThat(reached)
                .containsAll(pages().stream()
                        .filter(page ->
                                page.startsWith(HOME.resolve("docs")) && !page.startsWith(HOME.resolve("docs/adr")))
                        .toList());
    }

    private static List<Path> pages() throws IOException {
        List<Path> pages = new ArrayList<>();
        for (Path root : List.of(HOME, HOME.resolve("docs"), HOME.resolve("benchmarks"), HOME.resolve("examples"))) {
            try (Stream<Path> files = Files.walk(root, root.endsWith("docs") ? 3 : 1)) {
                files.filter(file -> file.toString().endsWith(".md")).forEach(pages::add);
            }
        }
        return pages;
    }

    private static List<String> linksOf(Path page) throws IOException {
        List<String> links = new ArrayList<>();
        Matcher matcher = LINK.matcher(CODE.matcher(Files.readString(page)).replaceAll("code"));
        while (matcher.find()) {
            if (!matcher.group(1).matches("[a-z]+:.*")) {
                links.add(matcher.group(1));
            }
        }
        return links;
    }

    /**
     * Returns the anchors of a page's headings as the hosts of repositories make them: lower case, no punctuation but
     * hyphens and underscores, a hyphen for each space.
     */
    private static Set<String> anchorsOf(Path page) throws IOException {
        Set<String> anchors = new TreeSet<>();
        Matcher matcher = HEADING.matcher(Files.readString(page));
        while (matcher.find()) {
            anchors.add(matcher.group(1)
                    .toLowerCase(Locale.ROOT)
                    .replaceAll("[^\\p{L}\\p{N} _-]", "")
                    .replace(' ', '-'));
        }
        return anchors;
    }
}
