package org.ulfmj.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The command line of {@code bin/ulfm-sim}. */
class MainTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @ParameterizedTest
    @ValueSource(strings = {"--help", "-h", "help", "run --help", "mutants --rule R4b --help"})
    void shouldListAllCommandsAndOptionsWhenHelpIsWanted(String line) throws InterruptedException {
        assertThat(status(line)).isZero();
        assertThat(text(out))
                .startsWith("Runs the shipped protocol classes through failure schedules in virtual time")
                .contains("Usage: ulfm-sim run [options]", "--protocol=NAME,...|all", "--ranks=N|N..N", "--seeds=N..N")
                .contains("--threads=N", "--failures=N", "Usage: ulfm-sim re-run", "--seed=S", "--without=I,...")
                .contains(
                        "Usage: ulfm-sim minimise", "Usage: ulfm-sim hashes", "Usage: ulfm-sim exhaustive", "--world=")
                .contains("--reduction=on|off", "Usage: ulfm-sim mutants", "--rule=R4b,...", "Protocols: agree ");
        assertThat(text(err)).isEmpty();
    }

    @Test
    void shouldRunTheCommandThatIsNamed() throws InterruptedException {
        assertThat(status("hashes --protocol=agree --ranks 2..3 --seeds 1..50")).isZero();
        assertThat(text(out)).matches("agree 1\\.\\.50 [0-9a-f]{16}\\R");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "''~no command given; commands are run re-run minimise hashes exhaustive mutants; see ulfm-sim --help",
                "rerun~rerun: no such command; the nearest is re-run, all are run re-run minimise hashes exhaustive"
                        + " mutants; see ulfm-sim --help",
                "run --protocl agree~unknown option --protocl; did you mean --protocol? (ulfm-sim run --help lists all)",
                "run agree~'agree' belongs to no option (ulfm-sim run --help lists all)",
                "run --protocol agre~--protocol agre: there is none; the nearest is agree, all are ",
                "run --ranks 2..17~--ranks 2..17: wants numbers from 2 to 16",
                "run --seeds 9..2~--seeds 9..2: wants a number or a range like 2..9",
                "run --threads 0~--threads 0: wants a number from 1 to 1024",
                "run --failures x~--failures x: wants a number from 1 to 2147483647",
                "run --ranks 2 --ranks 3~--ranks is given twice; write it once",
                "run --ranks~--ranks lacks its value; write --ranks N|N..N",
                "re-run~--seed is missing",
                "re-run --seed 1..2~--seed 1..2: wants one number; a range of them is for run",
                "minimise --seed 1 --without a~--without a: wants numbers of planned items, like 2,5,7",
                "hashes --threads 2~unknown option --threads (ulfm-sim hashes --help lists all)",
                "exhaustive --world agre-news~--world agre-news: no such world; the nearest is agree-news, all are small ",
                "exhaustive --reduction yes~--reduction yes: is not allowed; the nearest is ",
                "mutants --rule X9~--rule X9: no mutant leaves out such a rule; the nearest is ",
            })
    void shouldSayWhatIsWrong(String line, String message) throws InterruptedException {
        assertThat(status(line)).isEqualTo(2);
        assertThat(text(err)).startsWith("ulfm-sim: " + message).hasLineCount(1);
        assertThat(text(out)).isEmpty();
    }

    private int status(String line) throws InterruptedException {
        return Main.status(line.isEmpty() ? new String[0] : line.split(" "), stream(out), stream(err));
    }

    private static PrintStream stream(ByteArrayOutputStream bytes) {
        return new PrintStream(bytes, true, StandardCharsets.UTF_8);
    }

    private static String text(ByteArrayOutputStream bytes) {
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
