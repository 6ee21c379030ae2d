package org.ulfmj.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.ulfmj.benchmarks.peer.Machine;
import org.ulfmj.benchmarks.result.Result;
import org.ulfmj.benchmarks.result.Results;
import org.ulfmj.benchmarks.result.Store;

final class ConsoleReportTest {
    private static final Machine MACHINE = new Machine(2, List.of("CPU: of a test"));

    @TempDir
    Path docs;

    @Test
    void shouldKeepWhatWasMeasuredBefore() throws Exception {
        new ConsoleReport(docs, results("shm", "pp:8", "CPU: of a test; commit abc"), MACHINE).write();
        Results later = results("shm", "barrier", "CPU: of a test; commit def");
        Store.readInto(later, ConsoleReport.store(docs));
        new ConsoleReport(docs, later, MACHINE).write();

        String text = Files.readString(ConsoleReport.page(docs));
        assertThat(text).startsWith("# What was measured\n");
        assertThat(text).contains("* CPU: of a test\n* commit def\n* `shm/2/pp:8` with CPU: of a test; commit abc\n");
        assertThat(text)
                .contains("| `shm/2/pp:8` | 1.1 × Open MPI | 2.00 (2.00 to 2.00) | 2.00 | 182 % | **missed** |");
        assertThat(text)
                .contains("| `shm/2/barrier` | half a trip, for example | ours 0.400 / 0.400; ompi 0.200 / 0.200");
        assertThat(docs.resolve("figures/performance-bars.svg")).exists();
        assertThat(docs.resolve("figures/performance-messages.svg")).exists();
    }

    @Test
    void shouldReadBackWhatItWrites() throws Exception {
        Path file = docs.resolve("figures.csv");
        Results written = results("revoke", "last, polling", "commit abc");
        Store.write(written, file);
        Results read = new Results();
        Store.readInto(read, file);

        assertThat(read.places()).isEqualTo(written.places());
        Result result = read.at("revoke/2/last, polling").get(0);
        assertThat(result.title()).isEqualTo("half a trip, for example");
        assertThat(result.setup()).isEqualTo("commit abc");
        assertThat(result.micros()).containsExactly(0.4, 0.4, 0.5);
    }

    private static Results results(String group, String name, String setup) {
        Results results = new Results();
        for (String job : List.of("ours", "ompi")) {
            double scale = job.equals("ours") ? 1 : 0.5;
            results.add(List.of(new Result(
                    group,
                    2,
                    name,
                    "half a trip, for example",
                    1,
                    job,
                    new double[] {0.4 * scale, 0.5 * scale, 0.4 * scale},
                    0.01,
                    0,
                    setup)));
        }
        return results;
    }
}
