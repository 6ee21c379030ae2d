package org.ulfmj.launch.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.ulfmj.command.UsageException;

class ExpectationsTest {
    @Test
    void shouldReadEachExpectation() {
        assertThat(Expectations.of("exit=3, dead={1,2}, detect<5s, recover<2min, no-false-positive", 4))
                .isEqualTo(new Expectations(3, new TreeSet<>(Set.of(1, 2)), 5_000_000_000L, 120_000_000_000L, true));
        assertThat(Expectations.of("dead={}", 4)).isEqualTo(new Expectations(null, new TreeSet<>(), 0, 0, false));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "exit|--expect: 'exit' is nothing to expect; allowed: exit=CODE",
                "exit=0,,dead={}|--expect: '' is nothing to expect; allowed: exit=CODE",
                "exit=256|--expect: 256 of 'exit=256' is out of range; allowed: 0 to 255",
                "dead={4}|--expect: 4 of 'dead={4}' is out of range; allowed: 0 to 3",
                "dead={x}|--expect: 'dead={x}' is nothing to expect",
                "dead=3|--expect: 'dead=3' is nothing to expect",
                "detect<5|--expect: '5' is not a duration",
                "detect<0s|--expect: 'detect<0s' is nothing to expect",
                "exact=1|--expect: 'exact=1' is nothing to expect"
            })
    void shouldSayWhatIsWrong(String text, String why) {
        assertThatThrownBy(() -> Expectations.of(text, 4))
                .isInstanceOf(UsageException.class)
                .hasMessageStartingWith(why);
    }
}
