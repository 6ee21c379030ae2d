package org.ulfmj.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OptionTableTest {
    private static final OptionTable TABLE = OptionTable.of(
            "paint",
            "Paints 100% of a wall.",
            List.of(
                    CommandOption.value("NAME,...", "Colours (default white).", "--colour", "-c"),
                    CommandOption.value("N", "Layers, 1 to 9 (default 2).", "--layers"),
                    CommandOption.value("wet|dry", "How to begin.", "--wall"),
                    CommandOption.values("WORD", "What to write on it.", "--say"),
                    CommandOption.flag("Say what would be done.", "--list"),
                    CommandOption.HELP),
            "A can lasts for 8 m².");

    @Test
    void shouldReadValuesWhenWrittenEitherWay() {
        GivenOptions given = TABLE.read("--layers=3", "-c", "red,,blue", "--list", "--say", "-a", "--say=b");

        assertThat(given.number("--layers", 2, 1, 9)).isEqualTo(3);
        assertThat(given.words("--colour")).containsExactly("red", "blue");
        assertThat(given.has("--list")).isTrue();
        assertThat(given.texts("--say")).containsExactly("-a", "b");
    }

    @Test
    void shouldAnswerWithTheDefaultWhenAnOptionIsNotGiven() {
        GivenOptions given = TABLE.read();

        assertThat(given.number("--layers", 2, 1, 9)).isEqualTo(2);
        assertThat(given.words("--colour", "white")).containsExactly("white");
        assertThat(given.text("--colour")).isNull();
        assertThat(given.choice("--wall", "", List.of("wet", "dry"))).isEmpty();
        assertThat(given.has("--list")).isFalse();
    }

    @Test
    void shouldShowEachOptionInTheHelp() {
        assertThat(TABLE.help())
                .isEqualToNormalizingNewlines(
                        """
                        Usage: paint [options]
                        Paints 100% of a wall.
                          -c, --colour=NAME,...   Colours (default white).
                              --layers=N          Layers, 1 to 9 (default 2).
                              --wall=wet|dry      How to begin.
                              --say=WORD          What to write on it.
                              --list              Say what would be done.
                          -h, --help              Show this text.
                        A can lasts for 8 m².
                        """);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "--colours red~unknown option --colours; did you mean --colour? (paint --help lists all)",
                "--xyz~unknown option --xyz (paint --help lists all)",
                "green~'green' belongs to no option (paint --help lists all)",
                "wall~'wall' belongs to no option; did you mean --wall? (paint --help lists all)",
                "--layers~--layers lacks its value; write --layers N",
                "--layers --list~--layers lacks its value; write --layers N",
                "--colour red --colour blue~--colour is given twice; write it once",
                "-c red --colour blue~-c and --colour are two names of one option; write one of them",
                "--layers 0~--layers 0: wants a number from 1 to 9",
                "--layers two~--layers two: wants a number from 1 to 9",
                "--layers 99999999999999999999~--layers 99999999999999999999: wants a number from 1 to 9",
                "--layers=~--layers : wants a number from 1 to 9",
                "--wall wett~--wall wett: is not allowed; the nearest is wet, all are wet dry",
            })
    void shouldSayWhatIsWrong(String line, String message) {
        assertThatThrownBy(() -> {
                    GivenOptions given = TABLE.read(line.split(" "));
                    given.number("--layers", 2, 1, 9);
                    given.choice("--wall", "wet", List.of("wet", "dry"));
                })
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    @Test
    void shouldNameTheOptionThatIsNeeded() {
        assertThatThrownBy(() -> TABLE.read().required("--wall")).hasMessage("--wall is missing");
    }

    @Test
    void shouldLeaveTheWordsOfACommandThatItStarts() {
        OptionTable launcher = OptionTable.ofLauncher(
                "run", List.of("run [options] COMMAND"), "Runs it.", List.of(CommandOption.HELP));

        assertThat(launcher.read("sh", "--help", "@file").command()).containsExactly("sh", "--help", "@file");
        assertThat(launcher.read("--help").command()).isEmpty();
    }
}
