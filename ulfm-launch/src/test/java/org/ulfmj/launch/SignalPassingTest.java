package org.ulfmj.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SignalPassingTest {
    @Test
    void shouldNameTheRanksThatDidNotGetTheSignal() {
        assertThat(SignalPassing.exception(List.of())).isEmpty();
        assertThat(SignalPassing.exception(List.of("1")))
                .isEqualTo(", but not to rank 1, which is not in MPI: its Java virtual machine would end by it");
        assertThat(SignalPassing.exception(List.of("0", "2")))
                .isEqualTo(
                        ", but not to ranks 0, 2, which are not in MPI: their Java virtual machines would end by it");
    }
}
