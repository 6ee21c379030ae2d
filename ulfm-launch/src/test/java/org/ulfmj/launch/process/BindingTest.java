package org.ulfmj.launch.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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

    @ParameterizedTest(name = "{0} ranks, {1} cores, {2} processors: bound early: {3}")
    @CsvSource({"2,2,2,true", "3,4,4,true", "4,4,4,true", "2,4,4,false", "4,2,2,false", "1,1,1,false", "2,4,2,true"})
    void shouldBindEarlyWhereRanksDoNotExceedCoresButRanksAndCompilersDo(
            int ranks, int cores, int processors, boolean isBound) {
        Binding binding = Binding.early(ranks, "/bin/taskset", Binding.parse("0-" + (cores - 1)), processors);
        assertThat(binding.isEarly()).isEqualTo(isBound);
        assertThat(binding.isToCores()).isEqualTo(isBound);
        assertThat(binding.javaOptions()).hasSize(isBound ? 1 : 0);
    }

    @Test
    void shouldNotBindEarlyWithoutTasksetOrAListOfCores() {
        assertThat(Binding.early(2, null, List.of(0, 1), 2)).isSameAs(Binding.NONE);
        assertThat(Binding.early(2, "/bin/taskset", List.of(), 2)).isSameAs(Binding.NONE);
    }

    @Test
    void shouldPutNothingInFrontWhenNobodyIsBound() {
        assertThat(Binding.NONE.prefix(5)).isEmpty();
    }
}
