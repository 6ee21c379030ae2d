package org.ulfmj.check.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.ulfmj.sim.SeedRange;

class CommandOptionsTest {
    private static final List<String> KNOWN = List.of("--protocol", "--ranks", "--threads");

    @Test
    void shouldTakeValuesWhenWrittenEitherWay() {
        CommandOptions arguments = arguments("--ranks=2..4", "--threads", "3");
        assertThat(arguments.range("--ranks", "2..16")).isEqualTo(new SeedRange(2, 4));
        assertThat(arguments.number("--threads", 1, 1, 8)).isEqualTo(3);
        assertThat(arguments.get("--protocol", "all")).isEqualTo("all");
    }

    @Test
    void shouldNameTheNearestWhenAnOptionIsUnknown() {
        assertThatThrownBy(() -> arguments("--protocl", "agree"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("--protocl: run has no such option; the nearest is --protocol,"
                        + " all are --protocol --ranks --threads");
    }

    @Test
    void shouldNameTheAllowedRangeWhenANumberIsOutsideOfIt() {
        assertThatThrownBy(() -> arguments("--threads", "0").number("--threads", 1, 1, 8))
                .hasMessage("--threads 0: wants a number from 1 to 8");
        assertThatThrownBy(() -> arguments("--threads", "two").number("--threads", 1, 1, 8))
                .hasMessage("--threads two: wants a number from 1 to 8");
    }

    @Test
    void shouldRefuseWhenAnOptionIsGivenTwiceOrWithoutAValue() {
        assertThatThrownBy(() -> arguments("--ranks", "2", "--ranks", "3")).hasMessage("--ranks is given twice");
        assertThatThrownBy(() -> arguments("--ranks")).hasMessage("--ranks wants a value");
    }

    private static CommandOptions arguments(String... options) {
        String[] args = new String[options.length + 1];
        args[0] = "run";
        System.arraycopy(options, 0, args, 1, options.length);
        return new CommandOptions(args, KNOWN);
    }
}
