package org.ulfmj.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the help and the error messages of the command line of {@code benchmarks/compare}. */
final class CompareTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @Test
    void shouldListAllOptionsWhenHelpIsWanted() throws InterruptedException {
        assertThat(status("--help")).isZero();
        assertThat(text(out))
                .startsWith("Usage: benchmarks/compare [options]\n")
                .contains(
                        "--only=NAME,...", "--np=N,...", "--peers=NAME,...", "--launches=N", "--rounds=N", "--round=MS")
                .contains("--out=DIR", "--render", "--quick", "--list", "-h, --help", "OMPI=/path", "10 µs")
                .contains("first/pp:8", " first, ", " short, ");
        assertThat(text(err)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "--launch 3~unknown option --launch; did you mean --launches? (benchmarks/compare --help lists all)",
                "pp:8~'pp:8' belongs to no option (benchmarks/compare --help lists all)",
                "--np=2,1~--np 1: wants a number from 2 to 64",
                "--np 2,x~--np x: wants a number from 2 to 64",
                "--launches 0~--launches 0: wants a number from 1 to 100",
                "--rounds -1~--rounds -1: wants a number from 0 to 100000",
                "--round 1.5~--round 1.5: wants a number from 1 to 10000",
                "--peers opmi~--peers opmi: is not allowed; the nearest is ompi, all are ompi mpich mpj bare none",
                "--out~--out lacks its value; write --out DIR",
                "--quick --quick~--quick is given twice; write it once",
                "--render~--render wants --out DIR, where the figures are; see --help",
            })
    void shouldSayWhatIsWrong(String line, String message) throws InterruptedException {
        assertThat(status(line.split(" "))).isEqualTo(2);
        assertThat(text(err)).isEqualTo("compare: " + message + "\n");
    }

    private int status(String... args) throws InterruptedException {
        return Compare.status(args, stream(out), stream(err));
    }

    private static PrintStream stream(ByteArrayOutputStream bytes) {
        return new PrintStream(bytes, true, StandardCharsets.UTF_8);
    }

    private static String text(ByteArrayOutputStream bytes) {
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
