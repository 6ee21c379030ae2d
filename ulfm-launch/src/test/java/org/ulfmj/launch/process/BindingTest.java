package org.ulfmj.launch.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.ulfmj.launch.command.UsageException;

class BindingTest {
    @Test
    void shouldGiveEachRankTheNextCoreThatMayBeUsed() {
        Binding binding = Binding.toCores(3, "/bin/taskset", Binding.parse("0,2-3,7"));
        assertThat(binding.prefix(0)).containsExactly("/bin/taskset", "-c", "0");
        assertThat(binding.prefix(1)).containsExactly("/bin/taskset", "-c", "2");
        assertThat(binding.prefix(2)).containsExactly("/bin/taskset", "-c", "3");
    }

    @Test
    void shouldSayTheLimitWhenRanksExceedCores() {
        assertThatThrownBy(() -> Binding.toCores(3, "/bin/taskset", List.of(4, 5)))
                .isInstanceOf(UsageException.class)
                .hasMessage("--bind-to core: 3 ranks, but mpiexec may use 2 cores; start at most 2,"
                        + " or use --bind-to none");
    }

    @Test
    void shouldPutNothingInFrontWhenNobodyIsBound() {
        assertThat(Binding.NONE.prefix(5)).isEmpty();
    }
}
