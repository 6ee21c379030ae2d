package org.ulfmj.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.ulfmj.benchmarks.peer.Machine;
import org.ulfmj.benchmarks.result.Results;
import org.ulfmj.benchmarks.result.Store;

/**
 * Tests that the checked-in page with our figures, their file and the chart of the bars are those that
 * {@code benchmarks/compare} writes from the checked-in figures, and that the page with the method has their counts.
 */
final class PublishedPageTest {
    private static final Path DOCS = StandIn.HOME.resolve("docs");
    private static final Machine MEASURED_ON = new Machine(2, List.of());

    @TempDir
    Path rendered;

    @Test
    void shouldBeWhatTheFiguresSay() throws Exception {
        Results results = new Results();
        Store.readInto(results, ConsoleReport.store(DOCS));
        new ConsoleReport(rendered, results, MEASURED_ON).write();

        assertThat(Files.readString(ConsoleReport.page(rendered)))
                .as("docs/figures/performance.md; benchmarks/compare --out docs --render writes it")
                .isEqualTo(Files.readString(ConsoleReport.page(DOCS)));
        assertThat(Files.readString(ConsoleReport.store(rendered)))
                .isEqualTo(Files.readString(ConsoleReport.store(DOCS)));
        assertThat(Files.readString(rendered.resolve("figures/performance-bars.svg")))
                .isEqualTo(Files.readString(DOCS.resolve("figures/performance-bars.svg")));
    }

    @Test
    void shouldCountTheVerdictsOnThePageWithTheMethod() throws Exception {
        Results results = new Results();
        Store.readInto(results, ConsoleReport.store(DOCS));
        assertThat(Files.readString(DOCS.resolve("verified/performance.md")))
                .contains(new Comparison(results, MEASURED_ON.cores()).counts().strip());
    }
}
