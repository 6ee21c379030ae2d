package org.ulfmj.rendezvous.gather;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GatheringTextTest {
    @Test
    void shouldReadWhatItWrites() {
        Gathering state = Gathering.empty(new Terms(1, 2, 500))
                .join(-1)
                .join(2)
                .confirm(-1)
                .join(3);
        assertThat(GatheringText.read(GatheringText.write(state))).isEqualTo(state);
        assertThat(GatheringText.read(
                        GatheringText.write(state.confirm(2).leave(-1).renew(2).close())))
                .isEqualTo(state.confirm(2).leave(-1).renew(2).close());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "gathering-2 1 2 500 false FINAL 1 1",
                "gathering-1 1 2 500 false FINAL 1",
                "gathering-1 2 1 500 false FINAL 1 1",
                "gathering-1 1 2 500 false OVER 1 1",
                "gathering-1 1 2 500 false FINAL one 1",
                "gathering-1 1 2 500 false FINAL 1 1\n",
                "gathering-1 1 2 500 false FINAL 1 1\n1 AWAY 0",
                "gathering-1 1 2 500 false FINAL 1 1\nx LEFT 0",
                "gathering-1 1 2 500 false FINAL 1 1\n1 LEFT 0\n1 LEFT 0"
            })
    void shouldRefuseOtherText(String text) {
        assertThatThrownBy(() -> GatheringText.read(text)).isInstanceOf(IllegalArgumentException.class);
    }
}
