package org.ulfmj.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class NearestNameTest {
    private static final List<String> NAMES = List.of("--timeout", "--tag-output", "--inject", "-n");

    @Test
    void shouldFindTheNameWithTheFewestTypingErrors() {
        assertThat(NearestName.to("--tagoutput", NAMES)).isEqualTo("--tag-output");
        assertThat(NearestName.to("--tiemout", NAMES)).isEqualTo("--timeout");
        assertThat(NearestName.to("--INJECT", NAMES)).isEqualTo("--inject");
    }

    @Test
    void shouldCountASwapOfNeighboursOnce() {
        assertThat(NearestName.to("ba", List.of("bcd", "ab"))).isEqualTo("ab");
    }

    @Test
    void shouldAskOnlyAboutANameThatIsNear() {
        assertThat(NearestName.question("--tiemout", NAMES)).isEqualTo("; did you mean --timeout?");
        assertThat(NearestName.question("--display-map", NAMES)).isEmpty();
        assertThat(NearestName.question("-n", List.of())).isEmpty();
    }

    @Test
    void shouldRefuseToChooseFromNothing() {
        assertThatThrownBy(() -> NearestName.to("x", List.of())).isInstanceOf(IllegalArgumentException.class);
    }
}
