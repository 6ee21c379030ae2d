package examples.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The command line of {@code ./soak}. */
class SoakTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @Test
    void shouldListAllOptionsWhenHelpIsWanted() throws IOException {
        assertThat(status("--help")).isZero();
        assertThat(text(out))
                .startsWith("Usage: ./soak [options]\n")
                .contains("--runs=N", "--seed=S", "--ranks=N", "--deaths=N", "--in-finalize", "--stop")
                .contains("--transport=shm|tcp", "--calls=N", "--steps=N", "--limit=MS", "-h, --help");
        assertThat(text(err)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "--run 3~unknown option --run; did you mean --runs? (./soak --help lists all)",
                "200~'200' belongs to no option (./soak --help lists all)",
                "--runs 0~--runs 0: wants a number from 1 to 2147483647",
                "--runs many~--runs many: wants a number from 1 to 2147483647",
                "--seed -1~--seed -1: wants a number from 0 to 4611686018427387903",
                "--ranks 25~--ranks 25: wants a number from 2 to 24",
                "--deaths 4~--deaths 4: must be less than --ranks 4",
                "--transport rdma~--transport rdma: is not allowed; the nearest is shm, all are shm tcp",
                "--limit~--limit lacks its value; write --limit MS",
                "--steps --stop~--steps lacks its value; write --steps N",
                "--calls 1 --calls 2~--calls is given twice; write it once",
                "--stop --in-finalize~--stop and --in-finalize are given; write one of them",
            })
    void shouldSayWhatIsWrongAndListTheOptions(String line, String message) throws IOException {
        assertThat(status(line.split(" "))).isEqualTo(2);
        assertThat(text(err)).startsWith("soak: " + message + "\nUsage: ./soak [options]\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--runs 1 --seed 7 --ranks 4 --deaths 1 --calls 2000 --steps 100",
                "--runs 1 --seed 7 --ranks 3 --deaths 2 --stop --transport tcp --inject slow:rank=1 --limit 900 --calls 5 --steps 0"
            })
    void shouldSayHowToRepeatARun(String line) {
        SoakOptions options = SoakOptions.parse(line.split(" "));
        String repeating = options.repeating(7).replace("'", "");
        assertThat(repeating).startsWith("./soak ");
        assertThat(SoakOptions.parse(repeating.substring("./soak ".length()).split(" ")))
                .isEqualTo(options);
    }

    private int status(String... args) throws IOException {
        return Soak.status(args, stream(out), stream(err));
    }

    private static PrintStream stream(ByteArrayOutputStream bytes) {
        return new PrintStream(bytes, true, StandardCharsets.UTF_8);
    }

    private static String text(ByteArrayOutputStream bytes) {
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
