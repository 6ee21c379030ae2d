package org.ulfmj.launch.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.ulfmj.command.CommandOption;
import org.ulfmj.command.Given;

class PlainArgumentsTest {
    private static final List<String> WITHOUT_A_COMMAND =
            List.of(OptionModel.HELP, "-h", "-help", OptionModel.VERSION, "-V", "-version");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "java Main",
                "-n 2 java -cp classes Main -n 3 --help",
                "-np 4 --oversubscribe -l sh -c true",
                "--set ulfm.fd.timeout=2s --set ulfm.verbose=true -n 2 examples Digits",
                "-genv A 1 -env B 2 -H localhost -hostfile f -N 2 -v -q sh",
                "--mca btl self,vader -mca x y -am file -n 2 sh",
                "-n 2 java Main @file @@file",
                "-n 2 @file sh",
                "--with-ft none -x A=1 -x B --inject kill:rank=1@t=1s;kill:rank=0@t=2s -n 3 ./prog -- -n x"
            })
    void shouldReadWhatItReadsAsAnyOtherReaderWould(String line) {
        requireAlike(line.isEmpty() ? new String[0] : line.split(" "));
    }

    static Stream<String> names() {
        return OptionModel.ENTRIES.stream()
                .flatMap(entry -> entry.names().stream())
                .filter(name -> !WITHOUT_A_COMMAND.contains(name));
    }

    @ParameterizedTest
    @MethodSource("names")
    void shouldReadEachNameOfEachOptionAsAnyOtherReaderWould(String name) {
        CommandOption entry = OptionModel.ENTRIES.stream()
                .filter(each -> each.names().contains(name))
                .findFirst()
                .orElseThrow();
        List<String> once = new ArrayList<>(List.of(name));
        for (int value = 0; value < entry.values(); value++) {
            once.add("value" + value);
        }
        List<String> words = new ArrayList<>(once);
        if (entry.isRepeatable()) {
            words.addAll(once);
        }
        words.add("program");
        requireAlike(words.toArray(String[]::new));
    }

    private static void requireAlike(String... words) {
        Given plain = PlainArguments.read(words);
        Given any = AnyArguments.read(words);
        assertThat(plain).isNotNull();
        assertThat(plain.command()).isEqualTo(any.command());
        for (CommandOption entry : OptionModel.ENTRIES) {
            String name = entry.name();
            assertThat(plain.has(name)).as(name).isEqualTo(any.has(name));
            if (entry.isRepeatable()) {
                assertThat(plain.texts(name)).as(name).isEqualTo(any.texts(name));
            } else if (entry.values() > 0) {
                assertThat(plain.text(name)).as(name).isEqualTo(any.text(name));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--help",
                "-V",
                "-n=2 sh",
                "-n2 sh",
                "-n",
                "-n -2 sh",
                "-n 2 -n 3 sh",
                "-l -l sh",
                "--mca btl",
                "--report-pid - sh",
                "--wdir \"a sh",
                "--tagoutput sh",
                "-- sh"
            })
    void shouldLeaveToTheOtherReaderWhatNeedsMoreThanALook(String line) {
        assertThat(PlainArguments.read(line.split(" "))).isNull();
    }

    @Test
    void shouldLeaveEmptyValuesToTheOtherReader() {
        assertThat(PlainArguments.read("-n", "", "sh")).isNull();
    }

    @Test
    void shouldGiveEmptyWordsToTheProgram() {
        String[] words = {"-n", "2", "sh", "", "@x", ""};
        assertThat(PlainArguments.read(words).command())
                .containsExactly("sh", "", "@x", "")
                .isEqualTo(AnyArguments.read(words).command());
    }
}
